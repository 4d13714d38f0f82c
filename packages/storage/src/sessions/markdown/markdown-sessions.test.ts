import {
  appendFileSync,
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { factsOf, type SessionLog, type SessionStore } from "@harness/core";
import type { Fact } from "@harness/protocol";
import { got, idle } from "@harness/testkit";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import {
  append,
  asks,
  callsBash,
  MARKDOWN_AT,
  MARKDOWN_ID,
  openMarkdown,
  result,
  said,
  says,
  shown,
  take,
} from "../../../test/markdown-session.ts";

const ID = MARKDOWN_ID;
const AT = MARKDOWN_AT;
let root = "";
let store: SessionStore;

const file = (name: string) => join(root, ID, "messages", name);
const names = () => readdirSync(join(root, ID, "messages")).sort();
const read = (name: string) => readFileSync(file(name), "utf8");

const open = () => openMarkdown(root);

function begin(...updates: Fact[]): SessionLog {
  const log = store.create({ sessionId: ID, cwd: "/project", createdAt: AT, version: 1 });
  append(log, ...updates);
  return log;
}

function replace(name: string, make: (path: string) => void): void {
  rmSync(file(name));
  make(file(name));
}

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), "markdown-"));
  store = open();
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

describe("the files of a session", () => {
  it("are those of the document", () => {
    const config: Fact = { sessionUpdate: "config_option_update", config: { provider: "local", model: "small" } };
    const log = begin(config, asks("What is here?"), callsBash, result("a.txt\n---\nb.txt"), says("Two files."), idle);
    expect(names()).toEqual(["0001-user.md", "0002-assistant.md", "0003-tool_result.md", "0004-assistant.md"]);
    expect(read("0001-user.md")).toBe(`---\nrole: user\nseq: 0001\ntimestamp: ${AT}\n---\nWhat is here?\n`);
    expect(read("0002-assistant.md")).toBe(
      `---\nrole: assistant\nseq: 0002\ntimestamp: ${AT}\nmodel: small\nprovider: local\nstop: tool_calls\ntokens_in: 12\ntokens_out: 3\n---
\`\`\`thinking signature=abc=
I need the list.
\`\`\`

Let me look.

\`\`\`tool_call id=call_1 name=bash
{"command":"ls -la"}
\`\`\`
`,
    );
    expect(read("0003-tool_result.md")).toBe(
      `---\nrole: tool_result\nseq: 0003\ntimestamp: ${AT}\ncall_id: call_1\ntool: bash\nerror: false\n---\na.txt\n---\nb.txt\n`,
    );
    expect(readFileSync(join(root, ID, "session.conf"), "utf8")).toBe(
      `id=${ID}\nmodel=small\nprovider=local\ncreated=${AT}\ntitle=\ncwd=/project\n`,
    );
    log.close();
  });

  it("go with the messages that a rewind hides, and come back with a redo", () => {
    const log = begin(asks("one"), says("1"), asks("two"), says("2"), idle);
    const rewind = { sessionUpdate: "rewind_update", turnIds: [], files: [] } as const;
    append(log, { ...rewind, rewindId: "w1", kind: "rewind", turnIds: [], files: [], fromSeq: 3 });
    expect(names()).toEqual(["0001-user.md", "0002-assistant.md"]);
    expect(log.outsideChanges()).toEqual([]);
    append(log, { ...rewind, rewindId: "w2", kind: "redo", turnIds: [], files: [], redoOf: "w1" });
    expect(names()).toEqual(["0001-user.md", "0002-assistant.md", "0003-user.md", "0004-assistant.md"]);
    expect(read("0004-assistant.md")).toMatch(/\n2\n$/);
    expect(log.outsideChanges()).toEqual([]);
    log.close();
  });

  it("keep what a stopped agent said, and not what a failure cut", () => {
    const cut = (text: string): Fact => ({ ...says(text), stop: "cut" }) as Fact;
    const end = (stopReason: "cancelled" | "error"): Fact => ({
      sessionUpdate: "state_update",
      state: "idle",
      stopReason,
    });
    const log = begin(asks("one"), cut("lost"), end("error"), asks("two"), cut("kept"), end("cancelled"));
    expect(names()).toEqual(["0001-user.md", "0002-user.md", "0003-assistant.md"]);
    expect(read("0003-assistant.md")).toContain("stop: error\n");
    log.close();
  });

  it("put results that came before their reply behind it", () => {
    const call = { type: "tool_call", toolCallId: "call_1", name: "bash", input: { command: "ls -la" } } as const;
    const early: Fact = { sessionUpdate: "early_call", messageId: "r", call, provider: "local", model: "small" };
    const log = begin(asks("one"), early, result("done"), { ...callsBash, messageId: "r" } as Fact, idle);
    expect(names()).toEqual(["0001-user.md", "0002-assistant.md", "0003-tool_result.md"]);
    log.close();
    expect(got(open().open(ID)).log.outsideChanges()).toEqual([]);
  });
});

describe("messages that are changed by hand", () => {
  it("count from the next turn on, in the running session and after it", () => {
    const log = begin(asks("one"), says("The port is 80."), idle, asks("two"), says("2"), idle);
    writeFileSync(file("0002-assistant.md"), read("0002-assistant.md").replace("80", "8080"));
    const [rewind] = take(log);
    expect(rewind).toMatchObject({ sessionUpdate: "rewind_update", kind: "rewind", fromSeq: 2, fromFiles: true });
    const title = "[1 message was edited in its file: the model gets it as it is now.]";
    expect(shown(factsOf(log))).toEqual(["> one", "The port is 8080.", "> two", "2", title]);
    expect(take(log)).toEqual([]);
    append(log, asks("three"), says("3"), idle);
    expect(names().at(-1)).toBe("0006-assistant.md");
    log.close();
    const again = got(open().open(ID)).log;
    expect(shown(factsOf(again))).toEqual(["> one", "The port is 8080.", "> two", "2", title, "> three", "3"]);
    again.close();
  });

  it("count when the session is opened or read", () => {
    begin(asks("one"), says("1"), idle).close();
    writeFileSync(file("0001-user.md"), "One, in other words.");
    const expected = ["> One, in other words.", "1"];
    expect(said(factsOf(got(open().load(ID))))).toEqual(expected);
    const { log, loaded } = got(open().open(ID));
    expect(said(factsOf(loaded))).toEqual(expected);
    expect(log.outsideChanges()).toEqual([]);
    log.close();
  });

  it("may be added, also without frontmatter, and removed", () => {
    const log = begin(asks("one"), says("1"), idle);
    writeFileSync(file("0003-user.md"), "And two?\n");
    writeFileSync(file("0004-assistant.md"), "---\nrole: assistant\nmood: good\n---\nTwo.\n");
    expect(take(log)[0]).toMatchObject({
      title: "2 messages were added as files: the model gets them with your next message.",
    });
    expect(said(factsOf(log))).toEqual(["> one", "1", "> And two?", "Two."]);
    rmSync(file("0002-assistant.md"));
    expect(take(log)[0]).toMatchObject({
      title: "1 message was removed from the session's files: the model no longer gets it.",
    });
    expect(said(factsOf(log))).toEqual(["> one", "> And two?", "Two."]);
    expect(read("0004-assistant.md")).toContain("mood: good");
    log.close();
  });

  it("take a call's result along, and a call without one gets one", () => {
    const log = begin(asks("one"), callsBash, result("a.txt"), says("One file."), idle);
    writeFileSync(file("0003-tool_result.md"), read("0003-tool_result.md").replace("a.txt", "b.txt"));
    take(log);
    expect(said(factsOf(log))).toEqual(["> one", "Let me look.", "bash: b.txt", "One file."]);
    rmSync(file("0003-tool_result.md"));
    take(log);
    expect(names()).toContain("0002.1-tool_result.md");
    expect(said(factsOf(log))).toEqual([
      "> one",
      "Let me look.",
      "bash: The result of this call is not in the files of the session.",
      "One file.",
    ]);
    expect(take(log)).toEqual([]);
    log.close();
  });

  it("may have the ends of lines of Windows, other numbers, or the same content in another file", () => {
    const log = begin(asks("one\ntwo"), says("1"), idle);
    writeFileSync(file("0001-user.md"), read("0001-user.md").replaceAll("\n", "\r\n"));
    expect(log.outsideChanges()).toEqual([]);
    writeFileSync(file("0001.5-assistant.md"), read("0002-assistant.md"));
    rmSync(file("0002-assistant.md"));
    expect(log.outsideChanges()).toEqual([]);
    append(log, asks("three"));
    expect(names()).toEqual(["0001-user.md", "0001.5-assistant.md", "0002-user.md"]);
    log.close();
  });
});

describe("files that are not as they should be", () => {
  const cases: [string, () => void, RegExp][] = [
    ["a link", () => replace("0002-assistant.md", (path) => symlinkSync("/etc/passwd", path)), /it is a link/],
    ["a folder", () => replace("0002-assistant.md", (path) => mkdirSync(path)), /not a regular file|folder/],
    ["a file of others", () => chmodSync(file("0002-assistant.md"), 0o666), /other users may write it/],
  ];
  it.each(cases)("stay as they were, with a sentence: %s", (_name, damage, sentence) => {
    const log = begin(asks("one"), says("1"), idle);
    damage();
    const [told, ...others] = take(log);
    expect(others).toEqual([]);
    expect(told).toMatchObject({
      sessionUpdate: "notice",
      severity: "warning",
      title: expect.stringMatching(sentence),
    });
    expect(take(log)).toEqual([]);
    expect(shown(factsOf(log)).slice(0, 2)).toEqual(["> one", "1"]);
    log.close();
    const again = got(open().open(ID)).log;
    expect(shown(factsOf(again)).slice(0, 2)).toEqual(["> one", "1"]);
    again.close();
  });

  it("are left out where they cannot be a message", () => {
    const log = begin(asks("one"), says("1"), idle);
    writeFileSync(file("0003-tool_result.md"), "no call");
    writeFileSync(file("0004-tool_result.md"), "---\ncall_id: nobody\n---\nno call");
    writeFileSync(file("notes.md"), "not a message");
    writeFileSync(join(root, ID, "cost.log"), "small 12 3");
    const titles = take(log).map((update) => ("title" in update ? update.title : ""));
    expect(titles.join("\n")).toMatch(/0003-tool_result.md is not read: its frontmatter has no call_id/);
    expect(titles.join("\n")).toMatch(/0004-tool_result.md is left out: no reply before it has the call/);
    expect(shown(factsOf(log)).slice(0, 2)).toEqual(["> one", "1"]);
    expect(take(log)).toEqual([]);
    log.close();
    expect(existsSync(join(root, ID, "cost.log"))).toBe(true);
  });

  it("are not followed out of the session", () => {
    begin(asks("one"), idle).close();
    rmSync(join(root, ID, "messages"), { recursive: true });
    symlinkSync(tmpdir(), join(root, ID, "messages"));
    expect(open().open(ID)).toMatchObject({
      kind: "foreign",
      problem: expect.stringContaining("messages is not a folder of its own"),
    });
    expect(shown(factsOf(got(open().load(ID))))).toEqual(["> one"]);
  });
});

describe("a session without its log", () => {
  const CONF =
    "id=x\nmodel=gpt\nprovider=openai\ncreated=2026-03-24T14:30:22+00:00\ntitle=\ntitle_locked=\ncwd=/elsewhere\nparent=\n";

  function write(messages: Record<string, string>): void {
    mkdirSync(join(root, ID, "messages"), { recursive: true });
    writeFileSync(join(root, ID, "session.conf"), CONF);
    for (const [name, text] of Object.entries(messages)) writeFileSync(file(name), text);
  }

  it("is listed, read and gone on with, whoever wrote it", async () => {
    write({
      "0001-user.md": "---\nrole: user\nseq: 0001\ntimestamp: 2026-03-24T14:30:22+00:00\n---\nlist\n",
      "0002-assistant.md":
        '---\nrole: assistant\nseq: 0002\nmodel: gpt\nprovider: openai\nstop: tool_calls\n---\nSure.\n\n```tool_call id=c1 name=bash\n{"command": "ls"}\n```\n\n',
      "0003-tool_result.md": "---\nrole: tool_result\ncall_id: c1\ntool: bash\nerror: false\n---\na.txt\n",
      "0004-assistant.md": "---\nrole: assistant\nstop: end\n---\nOne file.\n\n",
    });
    const [summary] = (await store.list({ limit: 5 })).sessions;
    expect(summary).toMatchObject({ sessionId: ID, cwd: "/elsewhere", preview: "list", turns: 1, model: "gpt" });
    const expected = ["> list", "Sure.", "bash: a.txt", "One file.\n"];
    expect(shown(factsOf(got(store.load(ID))))).toEqual(expected);
    expect(existsSync(join(root, ID, ".harness"))).toBe(false);
    const { log, loaded } = got(store.open(ID));
    expect(shown(factsOf(loaded))).toEqual(expected);
    expect(loaded.header).toMatchObject({ cwd: "/elsewhere", createdAt: "2026-03-24T14:30:22.000Z" });
    expect(log.isBegunHere).toBe(false);
    append(log, asks("more"), says("5"), idle);
    expect(names().slice(-2)).toEqual(["0005-user.md", "0006-assistant.md"]);
    expect(readFileSync(join(root, ID, "session.conf"), "utf8")).toContain("title_locked=\n");
    log.close();
    expect((await open().list({ limit: 5 })).sessions).toMatchObject([{ turns: 2 }]);
  });

  it("loses nothing of the conversation when the log is deleted", () => {
    begin(asks("one"), callsBash, result("a"), says("1"), idle).close();
    const before = shown(factsOf(got(open().load(ID))));
    rmSync(join(root, ID, ".harness"), { recursive: true });
    expect(shown(factsOf(got(open().load(ID))))).toEqual(before);
    got(open().open(ID)).log.close();
    rmSync(join(root, ID, "session.conf"));
    expect(shown(factsOf(got(open().load(ID))))).toEqual(before);
  });

  it("is broken in every place and still read", () => {
    write({
      "0001-user.md": "---\nrole: user\n",
      "0002-assistant.md": "```tool_call id=c name=bash\n{broken",
      "0002-user.md": "",
      "7-user.md": "\0\ufffd",
    });
    appendFileSync(join(root, ID, "session.conf"), "\0\n=\nno line\ncreated=never\n");
    const log = got(store.open(ID)).log;
    expect(shown(factsOf(log))[0]).toBe("> ");
    log.close();
  });
});

describe("a process that is killed between two steps", () => {
  it("has the message once: as a draft it gets its name", () => {
    begin(asks("one"), says("1"), idle).close();
    const text = read("0002-assistant.md");
    rmSync(file("0002-assistant.md"));
    writeFileSync(file(".0002-assistant.md.new"), text, { mode: 0o600 });
    const log = got(open().open(ID)).log;
    expect(shown(factsOf(log))).toEqual(["> one", "1"]);
    expect(names()).toEqual(["0001-user.md", "0002-assistant.md"]);
    log.close();
  });

  it("has not said what was not stored", () => {
    begin(asks("one"), says("1"), idle).close();
    writeFileSync(file(".0003-user.md.new"), "half a mess");
    const log = got(open().open(ID)).log;
    expect(shown(factsOf(log))).toEqual(["> one", "1"]);
    expect(names()).toEqual(["0001-user.md", "0002-assistant.md"]);
    log.close();
  });
});
