import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { hostname, tmpdir } from "node:os";
import { basename, join } from "node:path";
import { factsOf, type SessionLog, type SessionStore } from "@harness/core";
import { type Fact, ROOT_AGENT } from "@harness/protocol";
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
import { openStore } from "../session-store.ts";

let root = "";
let store: SessionStore;

const dir = () => join(root, MARKDOWN_ID);
const file = (name: string) => join(dir(), "messages", name);
const names = () => readdirSync(join(dir(), "messages")).sort();
const read = (name: string) => readFileSync(file(name), "utf8");
const edit = (name: string, from: string, to: string) => writeFileSync(file(name), read(name).replace(from, to));

function begin(...updates: Fact[]): SessionLog {
  const log = store.create({ sessionId: MARKDOWN_ID, cwd: "/project", createdAt: MARKDOWN_AT, version: 1 });
  append(log, ...updates);
  return log;
}

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), "hand-edits-"));
  store = openMarkdown(root);
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

describe("nothing of the person's is lost", () => {
  const notice: Fact = { sessionUpdate: "notice", severity: "info", title: "Ready." };

  it("when the log beside the messages is deleted while the session is open", () => {
    const log = begin(asks("one"), says("1"), idle);
    rmSync(join(dir(), ".harness"), { recursive: true });
    log.close();
    expect(shown(factsOf(got(openMarkdown(root).load(MARKDOWN_ID))))).toEqual(["> one", "1"]);
  });

  it.each([
    ["a note", () => writeFileSync(join(dir(), "notes.txt"), "mine")],
    [
      "a message",
      () => [mkdirSync(join(dir(), "messages"), { recursive: true }), writeFileSync(file("0001-user.md"), "mine")],
    ],
    ["a line in session.conf", () => writeFileSync(join(dir(), "session.conf"), "mine=1\n")],
  ])("when a session without messages ends: %s", (_name, put) => {
    const log = begin({ sessionUpdate: "session_info_update", title: "Plan" }, notice);
    put();
    log.close();
    const left = readdirSync(dir(), { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
    const texts = left.map(({ parentPath, name: own }) => readFileSync(join(parentPath, own), "utf8"));
    expect(texts.some((text) => text.includes("mine"))).toBe(true);
  });

  it("when a file has appeared where the next message goes", () => {
    const log = begin(asks("one"), says("1"), idle);
    writeFileSync(file("0003-user.md"), "Mine.");
    writeFileSync(file("0004-assistant.md"), "Mine, too.");
    append(log, asks("two"), says("2"), idle);
    expect([read("0003-user.md"), read("0004-assistant.md")]).toEqual(["Mine.", "Mine, too."]);
    expect(names().slice(-2)).toEqual(["0005-user.md", "0006-assistant.md"]);
    expect(read("0005-user.md")).toContain("\nseq: 0005\n");
    take(log);
    expect(said(factsOf(log))).toEqual(["> one", "1", "> Mine.", "Mine, too.", "> two", "2"]);
    log.close();
  });

  it("when a message is edited while it is rewound", () => {
    const log = begin(asks("one"), says("1"), idle, asks("two"), says("2"), idle);
    edit("0004-assistant.md", "2\n", "Mine.\n");
    const rewind = { rewindId: "w1", kind: "rewind", fromSeq: 4 } as const;
    append(log, { sessionUpdate: "rewind_update", ...rewind, turnIds: [], files: [] });
    expect(names()).toEqual(["0001-user.md", "0002-assistant.md", "0004-assistant.md"]);
    expect(read("0004-assistant.md")).toContain("Mine.");
    log.close();
  });

  it("when a session is forked while it is closed", () => {
    begin(asks("one"), says("1"), idle, asks("two"), says("2"), idle).close();
    edit("0001-user.md", "one", "Another one");
    const loaded = got(store.load(MARKDOWN_ID, { settled: true }));
    const seq = loaded.read({ before: Number.POSITIVE_INFINITY, limit: 1 }).facts.at(-1)?.seq ?? 0;
    const fork = got(store.fork(MARKDOWN_ID, { sessionId: "20261121-143023-fork", createdAt: MARKDOWN_AT, seq }));
    expect([...factsOf(fork)]).toEqual([...factsOf(loaded)]);
    expect(shown(factsOf(fork)).filter((line) => line.startsWith(">"))).toEqual(["> Another one", "> two"]);
    fork.close();
  });

  it("when a session that another program wrote is forked", () => {
    mkdirSync(join(dir(), "messages"), { recursive: true });
    writeFileSync(file("0001-user.md"), "Hello.");
    const loaded = got(store.load(MARKDOWN_ID, { settled: true }));
    const fork = got(store.fork(MARKDOWN_ID, { sessionId: "20261121-143023-fork", createdAt: MARKDOWN_AT, seq: 1 }));
    expect(shown(factsOf(fork))).toEqual(shown(factsOf(loaded)));
    fork.close();
  });
});

describe("edits of a session that nobody has open", () => {
  it("are read although a process that was killed has left its lock", () => {
    begin(asks("one"), says("1"), idle).close();
    const lock = { pid: 2 ** 22 - 1, startTime: "0@0", host: hostname(), instanceId: "gone", at: MARKDOWN_AT };
    writeFileSync(join(dir(), "lock"), JSON.stringify(lock));
    edit("0002-assistant.md", "1\n", "One.\n");
    const path = join(dir(), "session.conf");
    writeFileSync(
      path,
      readFileSync(path, "utf8")
        .replace(/^title=$/m, "title=Mine")
        .replace(/^model=.*$/m, "model=big"),
    );
    expect(said(factsOf(got(store.load(MARKDOWN_ID))))).toEqual(["> one", "One."]);
    const { session, config } = got(store.inspect(MARKDOWN_ID));
    expect(session).toMatchObject({ title: "Mine", model: "big", answer: "One.", turns: 1 });
    expect(config).toEqual({ model: "big" });
  });

  it("are left to the process that has it open", () => {
    const log = begin(asks("one"), says("1"), idle);
    edit("0002-assistant.md", "1\n", "One.\n");
    expect(said(factsOf(got(openMarkdown(root).load(MARKDOWN_ID))))).toEqual(["> one", "1"]);
    log.close();
  });
});

describe("the names of new files", () => {
  it("have the next number after the highest one, whatever was removed", () => {
    const log = begin(asks("one"), says("1"), idle, asks("two"), says("2"), idle);
    rmSync(file("0002-assistant.md"));
    take(log);
    append(log, asks("three"));
    expect(names()).toEqual(["0001-user.md", "0003-user.md", "0004-assistant.md", "0005-user.md"]);
    log.close();
  });

  it("stand between two files where a result is missing, and are names of messages", () => {
    const log = begin(asks("one"), callsBash, result("a"), says("1"), idle);
    writeFileSync(file("0002.1-assistant.md"), read("0002-assistant.md").replaceAll("call_1", "call_2"));
    rmSync(file("0002-assistant.md"));
    rmSync(file("0003-tool_result.md"));
    take(log);
    expect(take(log)).toEqual([]);
    expect(names()).toEqual(["0001-user.md", "0002.1-assistant.md", "0002.2-tool_result.md", "0004-assistant.md"]);
    log.close();
  });

  it("are at the end where the last result is missing", () => {
    const log = begin(asks("one"), callsBash, result("a"), idle);
    rmSync(file("0003-tool_result.md"));
    take(log);
    expect(names()).toEqual(["0001-user.md", "0002-assistant.md", "0003-tool_result.md"]);
    log.close();
  });
});

describe("replies that no model gets", () => {
  it.each([
    ["emptied", "---\nrole: assistant\n---\n"],
    ["of a thought alone", "---\nrole: assistant\n---\n```thinking\nHm.\n```\n"],
  ])("count as removed once: %s", (_name, text) => {
    const log = begin(asks("one"), says("1"), idle, asks("two"), says("2"), idle);
    writeFileSync(file("0002-assistant.md"), text);
    expect(take(log)).not.toEqual([]);
    expect(take(log)).toEqual([]);
    append(log, asks("three"), says("3"), idle);
    expect(take(log)).toEqual([]);
    log.close();
    const again = got(openMarkdown(root).open(MARKDOWN_ID)).log;
    expect(said(factsOf(again))).toEqual(["> one", "> two", "2", "> three", "3"]);
    expect(read("0002-assistant.md")).toBe(text);
    expect([...factsOf(again)].every(({ agentId }) => agentId === ROOT_AGENT)).toBe(true);
    again.close();
  });
});

describe("a session in a folder where agents can write", () => {
  const FORK = "20261121-143023-fork";
  const place = () => ({ path: root, isOurs: false });
  const shared = () => {
    const clock = { now: () => Date.parse(MARKDOWN_AT) };
    return openStore(join(root, ".own"), { clock, places: { all: () => [place()], forNew: () => place() } });
  };
  const forkFile = (name: string) => join(root, FORK, "messages", name);

  it("is forked with a copy, which stays when the session is deleted", async () => {
    store = shared();
    const log = begin(asks("one"), says("1"), idle, asks("two"), says("2"), idle);
    const path = log.saveText("long");
    append(log, asks(`It is in ${path}.`));
    log.close();
    const fork = got(store.fork(MARKDOWN_ID, { sessionId: FORK, createdAt: MARKDOWN_AT, seq: 7 }));
    append(fork, asks("three"), says("3"), idle);
    const moved = join(root, FORK, ".harness", "blobs", basename(path));
    const lines = ["> one", "1", "> two", "2", `> It is in ${moved}.`, "> three", "3"];
    expect(said(factsOf(fork))).toEqual(lines);
    expect(readFileSync(moved, "utf8")).toBe("long");
    expect(take(fork)).toEqual([]);
    fork.close();
    expect(readFileSync(forkFile("0001-user.md"), "utf8")).toContain("one");
    expect((await store.list({ limit: 5 })).sessions.find(({ sessionId }) => sessionId === FORK)).toMatchObject({
      parent: { sessionId: MARKDOWN_ID },
      turns: 4,
    });
    expect(store.remove(MARKDOWN_ID)).toEqual({ removed: true });
    const again = got(shared().open(FORK));
    expect(again.log.isBegunHere).toBe(false);
    expect(said(factsOf(again.log))).toEqual(lines);
    expect(take(again.log)).toEqual([]);
    again.log.close();
  });

  it("has its messages in a fork whose process is killed before it has said anything", () => {
    store = shared();
    begin(asks("one"), says("1"), idle, asks("two")).close();
    got(store.fork(MARKDOWN_ID, { sessionId: FORK, createdAt: MARKDOWN_AT, seq: 2 }));
    rmSync(join(root, FORK, "lock"), { recursive: true });
    const log = got(shared().open(FORK)).log;
    expect(said(factsOf(log))).toEqual(["> one", "1"]);
    expect(readFileSync(forkFile("0002-assistant.md"), "utf8")).toContain("1");
    log.close();
  });
});
