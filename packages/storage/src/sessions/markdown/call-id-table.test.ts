import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { factsOf, type SessionLog, type SessionStore } from "@harness/core";
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

let root = "";
let store: SessionStore;
const dir = () => join(root, MARKDOWN_ID, "messages");
const put = (name: string, text: string) => {
  mkdirSync(dir(), { recursive: true });
  writeFileSync(join(dir(), name), text);
};
const calls = (...ids: string[]) =>
  `---\nrole: assistant\n---\nLook.\n\n${ids.map((id) => `\`\`\`tool_call id=${id} name=bash\n{"command":"ls"}\n\`\`\``).join("\n\n")}\n`;
const answers = (id: string, text: string) => `---\nrole: tool_result\ncall_id: ${id}\ntool: bash\n---\n${text}\n`;

/** Opened twice, the second time without what it knows of its files: nothing is new. */
function talk(): string[] {
  const log = got(store.open(MARKDOWN_ID)).log;
  expect(take(log)).toEqual([]);
  log.close();
  rmSync(join(root, MARKDOWN_ID, ".harness", "files.jsonl"));
  const again = got(openMarkdown(root).open(MARKDOWN_ID)).log;
  expect(take(again)).toEqual([]);
  const lines = said(factsOf(again));
  again.close();
  return lines;
}

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), "call-ids-"));
  store = openMarkdown(root);
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

describe("calls in files that were written by hand", () => {
  const MISSING = "bash: The result of this call is not in the files of the session.";
  const cases: [string, string[], string[]][] = [
    [
      "one id in two replies",
      [calls("c"), answers("c", "a"), calls("c"), answers("c", "b")],
      ["Look.", "bash: a", "Look.", "bash: b"],
    ],
    [
      "one id twice in a reply",
      [calls("c", "c"), answers("c", "a"), answers("c", "b")],
      ["Look.", "bash: a", "bash: b"],
    ],
    [
      "one id in two replies, the first without its result",
      [calls("c"), calls("c"), answers("c", "b")],
      ["Look.", MISSING, "Look.", "bash: b"],
    ],
    [
      "one id twice, with one result",
      [calls("c", "c"), answers("c", "a"), "---\nrole: user\n---\nGo on."],
      ["Look.", "bash: a", MISSING, "> Go on."],
    ],
    [
      "an id that looks like one that was renamed",
      [calls("c", "c~2"), answers("c~2", "b"), answers("c", "a"), calls("c"), answers("c", "d")],
      ["Look.", "bash: a", "bash: b", "Look.", "bash: d"],
    ],
    ["a result too many", [calls("c"), answers("c", "a"), answers("c", "b")], ["Look.", "bash: a"]],
  ];
  it.each(cases)("%s", (_name, files, expected) => {
    for (const [index, text] of ["---\nrole: user\n---\nlist", ...files].entries()) {
      const role = /^role: (\w+)/m.exec(text)?.[1];
      put(`${String(index + 1).padStart(4, "0")}-${role}.md`, text);
    }
    const lines = talk();
    expect(lines.toSorted()).toEqual(["> list", ...expected].toSorted());
  });
});

describe("a reply of the session that is copied by hand", () => {
  function begin(): SessionLog {
    const log = store.create({ sessionId: MARKDOWN_ID, cwd: "/project", createdAt: MARKDOWN_AT, version: 1 });
    append(log, asks("one"), callsBash, result("a"), says("1"), idle);
    return log;
  }
  const copy = (from: string, to: string, change = (text: string) => text) =>
    put(to, change(readFileSync(join(dir(), from), "utf8")));

  it("has results of its own, and the copied one keeps its own", () => {
    const log = begin();
    copy("0002-assistant.md", "0005-assistant.md");
    copy("0003-tool_result.md", "0006-tool_result.md", (text) => text.replace("a\n", "b\n"));
    take(log);
    const both = ["> one", "Let me look.", "bash: a", "1", "Let me look.", "bash: b"];
    expect(said(factsOf(log))).toEqual(both);
    expect(take(log)).toEqual([]);
    copy("0006-tool_result.md", "0006-tool_result.md", (text) => text.replace("b\n", "c\n"));
    take(log);
    expect(said(factsOf(log))).toEqual([...both.slice(0, -1), "bash: c"]);
    rmSync(join(dir(), "0002-assistant.md"));
    rmSync(join(dir(), "0003-tool_result.md"));
    take(log);
    expect(said(factsOf(log))).toEqual(["> one", "1", "Let me look.", "bash: c"]);
    expect(take(log)).toEqual([]);
    log.close();
    expect(readdirSync(dir())).toHaveLength(4);
    expect(talk()).toEqual(["> one", "1", "Let me look.", "bash: c"]);
  });

  it("gets a result for each of its calls, in a file", () => {
    const log = begin();
    copy("0002-assistant.md", "0005-assistant.md");
    take(log);
    expect(shown(factsOf(log)).filter((line) => line.startsWith("bash"))).toEqual([
      "bash: a",
      "bash: The result of this call is not in the files of the session.",
    ]);
    expect(take(log)).toEqual([]);
    log.close();
    expect(talk()).toHaveLength(6);
  });
});
