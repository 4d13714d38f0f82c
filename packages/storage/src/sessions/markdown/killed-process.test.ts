import { cpSync, existsSync, mkdtempSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { factsOf, type SessionLog } from "@harness/core";
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
  take,
} from "../../../test/markdown-session.ts";

let root = "";
let before = "";

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), "killed-"));
  before = mkdtempSync(join(tmpdir(), "killed-before-"));
});
afterEach(() => {
  for (const dir of [root, before]) rmSync(dir, { recursive: true, force: true });
});

const inSession = (dir: string, ...names: string[]) => join(dir, MARKDOWN_ID, ...names);
const messagesIn = (dir: string) => readdirSync(inSession(dir, "messages")).sort();

const rewind: Fact = {
  sessionUpdate: "rewind_update",
  rewindId: "w1",
  kind: "rewind",
  turnIds: [],
  files: [],
  fromSeq: 4,
};
const redo: Fact = {
  sessionUpdate: "rewind_update",
  rewindId: "w2",
  kind: "redo",
  turnIds: [],
  files: [],
  redoOf: "w1",
};
const begun = [asks("one"), says("1"), idle, asks("two"), says("2"), idle];

type Step = { name: string; first: readonly Fact[]; work(log: SessionLog): void };
const steps: Step[] = [
  { name: "a message", first: begun, work: (log) => append(log, asks("three")) },
  { name: "a reply with calls", first: [...begun, asks("three")], work: (log) => append(log, callsBash, result("a")) },
  { name: "a rewind", first: begun, work: (log) => append(log, rewind) },
  { name: "a redo", first: [...begun, rewind], work: (log) => append(log, redo) },
];

/** The moments in which the process may end: which parts are as they were before the step, and which as after it. */
const moments: { name: string; make(): void; isStored: boolean }[] = [
  { name: "before the fact", isStored: false, make: () => takeFiles(["messages", ".harness"]) },
  {
    name: "after the fact",
    isStored: true,
    make: () => takeFiles(["messages", ".harness/files.jsonl", ".harness/rewound"]),
  },
  { name: "after the files", isStored: true, make: () => takeFiles([".harness/files.jsonl"]) },
];

/** Brings parts of the session back as they were; new messages are drafts then. */
function takeFiles(parts: readonly string[]): void {
  const drafts = messagesIn(root).filter((name) => !messagesIn(before).includes(name));
  for (const name of drafts)
    cpSync(inSession(root, "messages", name), inSession(before, "messages", `.${name}.new`), {
      preserveTimestamps: true,
    });
  for (const part of parts) {
    rmSync(inSession(root, part), { recursive: true, force: true });
    // A copy would be a file that was replaced.
    if (existsSync(inSession(before, part))) renameSync(inSession(before, part), inSession(root, part));
  }
}

/** With the table that belongs to the files: a copy has other stamps. */
function copyWithStamps(): void {
  cpSync(root, before, { recursive: true });
  const log = got(openMarkdown(before).open(MARKDOWN_ID)).log;
  log.outsideChanges();
  log.close();
}

describe.each(steps)("a process that is killed during $name", ({ first, work }) => {
  it.each(moments)("$name: has it as it was stored, and nothing twice", ({ make, isStored }) => {
    const log = openMarkdown(root).create({
      sessionId: MARKDOWN_ID,
      cwd: "/project",
      createdAt: MARKDOWN_AT,
      version: 1,
    });
    append(log, ...first);
    log.close();
    const old = said(factsOf(got(openMarkdown(root).load(MARKDOWN_ID))));
    copyWithStamps();
    const again = got(openMarkdown(root).open(MARKDOWN_ID)).log;
    work(again);
    const now = said(factsOf(again));
    again.close();
    make();
    const left = got(openMarkdown(root).open(MARKDOWN_ID)).log;
    expect(said(factsOf(left))).toEqual(isStored ? now : old);
    expect(take(left)).toEqual([]);
    append(left, asks("more"), says("more"), idle);
    expect(take(left)).toEqual([]);
    const shown = [...(isStored ? now : old), "> more", "more"];
    left.close();
    rmSync(inSession(root, ".harness"), { recursive: true });
    expect(said(factsOf(got(openMarkdown(root).load(MARKDOWN_ID))))).toEqual(shown);
  });
});

describe("the table of files", () => {
  function begin(): void {
    const store = openMarkdown(root);
    const log = store.create({ sessionId: MARKDOWN_ID, cwd: "/project", createdAt: MARKDOWN_AT, version: 1 });
    append(log, ...begun);
    log.close();
  }

  it("may be missing, torn or wrong", () => {
    begin();
    const path = inSession(root, ".harness", "files.jsonl");
    for (const text of [
      "",
      "{",
      '{"seq":1,"file":{"name":"0002-assistant.md","stamp":""}}\n{"seq":2,"file":7}\n[]\n{"se',
    ]) {
      writeFileSync(path, text);
      const log = got(openMarkdown(root).open(MARKDOWN_ID)).log;
      expect(said(factsOf(log))).toEqual(["> one", "1", "> two", "2"]);
      log.close();
      expect(messagesIn(root)).toHaveLength(4);
    }
  });

  it("tells of a bad file once, also when the session is opened again", () => {
    begin();
    writeFileSync(inSession(root, "messages", "0005-tool_result.md"), "no call");
    const titles = () => {
      const log = got(openMarkdown(root).open(MARKDOWN_ID)).log;
      const all = [...factsOf(log)].flatMap(({ update }) => (update.sessionUpdate === "notice" ? [update.title] : []));
      log.close();
      return all;
    };
    expect(titles()).toHaveLength(1);
    expect(titles()).toHaveLength(1);
    writeFileSync(inSession(root, "messages", "0005-tool_result.md"), "still no call");
    expect(titles()).toHaveLength(2);
  });
});

it("brings back a rewound file as it was, with what people have put in it", () => {
  const log = openMarkdown(root).create({
    sessionId: MARKDOWN_ID,
    cwd: "/project",
    createdAt: MARKDOWN_AT,
    version: 1,
  });
  append(log, ...begun);
  const path = inSession(root, "messages", "0003-user.md");
  writeFileSync(path, readFileSync(path, "utf8").replace("---\n", "---\nmood: good\n"));
  expect(take(log)).toEqual([]);
  append(log, rewind);
  expect(messagesIn(root)).toEqual(["0001-user.md", "0002-assistant.md"]);
  append(log, redo);
  expect(readFileSync(path, "utf8")).toContain("mood: good");
  expect(messagesIn(root)).toHaveLength(4);
  expect([...factsOf(log)].every(({ agentId }) => agentId === ROOT_AGENT)).toBe(true);
  log.close();
});
