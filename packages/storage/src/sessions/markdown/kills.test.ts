import {
  cpSync,
  existsSync,
  lstatSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { factsOf, type SessionLog } from "@harness/core";
import { fileStamp } from "@harness/host";
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
  take,
} from "../../../test/markdown-session.ts";
import { watchWrites } from "../../../test/watched-writes.ts";

let root = "";
let copies = "";
/** The conversation that was acknowledged before a copy, and with what was being stored. */
let expected: { acknowledged: string[]; next: string[] }[] = [];
let known: string[] = [];
let last = "";

const copyOf = (index: number) => join(copies, String(index));

/** The names and sizes of all files. */
function stateOf(dir: string): string {
  const names = readdirSync(dir, { recursive: true, encoding: "utf8" }).sort();
  return names.map((name) => `${name} ${lstatSync(join(dir, name)).size}`).join("\n");
}

/** A copy is what a kill in this moment leaves; its table knows the copied files as the one of the session knows its own. */
function kill(): void {
  const state = stateOf(root);
  if (state === last) return;
  last = state;
  const copy = copyOf(expected.length);
  cpSync(root, copy, { recursive: true, preserveTimestamps: true });
  rmSync(join(copy, MARKDOWN_ID, "lock"), { recursive: true, force: true });
  const table = join(copy, MARKDOWN_ID, ".harness", "files.jsonl");
  if (existsSync(table)) {
    const names = state.split("\n").map((line) => line.slice(0, line.lastIndexOf(" ")));
    const own = (text: string, name: string) =>
      text.replaceAll(fileStamp(join(root, name)), fileStamp(join(copy, name)));
    writeFileSync(table, names.filter((name) => name.includes(".md")).reduce(own, readFileSync(table, "utf8")));
  }
  // Another process may still be writing a young one.
  for (const path of unfinished(copy)) utimesSync(path, 0, 0);
  expected.push({ acknowledged: known, next: known });
}

/** One step; the copies that are made during it may have it, or not. */
function step(log: SessionLog, work: () => void): void {
  const first = expected.length;
  known = said(factsOf(log));
  watchWrites(work, kill);
  const next = said(factsOf(log));
  for (const each of expected.slice(first)) each.next = next;
}

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), "kills-"));
  copies = mkdtempSync(join(tmpdir(), "kills-copies-"));
  expected = [];
});
afterEach(() => {
  for (const dir of [root, copies]) rmSync(dir, { recursive: true, force: true });
});

const rewindTo = (fromSeq: number): Fact => ({
  sessionUpdate: "rewind_update",
  rewindId: `w${fromSeq}`,
  kind: "rewind",
  turnIds: [],
  files: [],
  fromSeq,
});
const redoOf = (redone: string): Fact =>
  ({ ...(rewindTo(0) as object), rewindId: "r", kind: "redo", redoOf: redone, fromSeq: undefined }) as unknown as Fact;

const titleOf = (log: SessionLog) => log.digest.title;
const fromFilesIn = (log: SessionLog) =>
  [...factsOf(log)].filter(({ update }) => "fromFile" in update || ("fromFiles" in update && update.fromFiles));
/** Files that were being written. */
const unfinished = (dir: string) =>
  readdirSync(dir, { recursive: true, encoding: "utf8" })
    .filter((name) => /\.(?:new|tmp)$/.test(name))
    .map((name) => join(dir, name));

describe("a Markdown session whose process is killed", () => {
  it("at any write, has all that was acknowledged, and nothing twice", { timeout: 240_000 }, () => {
    const log = openMarkdown(root).create({
      sessionId: MARKDOWN_ID,
      cwd: "/project",
      createdAt: MARKDOWN_AT,
      version: 1,
    });
    append(log, asks("zero"));
    const picture = { type: "image", mimeType: "image/png", data: "aGFsZiBhIHBpY3R1cmU=" } as const;
    const facts: Fact[] = [
      { sessionUpdate: "session_info_update", title: "A plan" },
      { ...asks("look"), content: [{ type: "text", text: "look" }, picture] } as Fact,
      says("0"),
      idle,
      asks("one"),
      callsBash,
      result("a.txt"),
      says("1"),
    ];
    const [title, ...others] = facts as [Fact, ...Fact[]];
    step(log, () => append(log, title));
    const titled = expected.length;
    for (const fact of others) step(log, () => append(log, fact));
    step(log, () => append(log, rewindTo(6)));
    step(log, () => append(log, redoOf("w6")));
    step(log, () => log.close());
    expect(expected.length).toBeGreaterThan(100);
    for (const [index, { acknowledged, next }] of expected.entries()) {
      const store = openMarkdown(copyOf(index));
      const left = got(store.open(MARKDOWN_ID)).log;
      const lines = said(factsOf(left));
      expect([acknowledged, next], `kill ${index}`).toContainEqual(lines);
      if (index >= titled) expect(titleOf(left), `kill ${index}`).toBe("A plan");
      expect(fromFilesIn(left), `kill ${index}`).toEqual([]);
      expect(unfinished(copyOf(index)), `kill ${index}`).toEqual([]);
      expect(take(left), `kill ${index}`).toEqual([]);
      if (index % 4 > 0) {
        left.close();
        continue;
      }
      append(left, asks("more"), says("more"), idle);
      expect(take(left), `kill ${index}`).toEqual([]);
      left.close();
      rmSync(join(copyOf(index), MARKDOWN_ID, ".harness"), { recursive: true });
      const files = said(factsOf(got(openMarkdown(copyOf(index)).load(MARKDOWN_ID))));
      expect(
        files.filter((line) => !line.includes("not in the files")),
        `kill ${index}`,
      ).toEqual([...lines, "> more", "more"]);
    }
  });

  it("while edits are taken in, has them once", { timeout: 240_000 }, () => {
    const log = openMarkdown(root).create({
      sessionId: MARKDOWN_ID,
      cwd: "/project",
      createdAt: MARKDOWN_AT,
      version: 1,
    });
    append(log, asks("one"), callsBash, result("a.txt"), says("1"), idle, asks("two"), says("2"), idle);
    const put = (name: string, from: string, to: string) => {
      const path = join(root, MARKDOWN_ID, "messages", name);
      writeFileSync(path, readFileSync(path, "utf8").replace(from, to));
    };
    put("0001-user.md", "one", "One");
    put("0003-tool_result.md", "a.txt", "b.txt");
    writeFileSync(join(root, MARKDOWN_ID, "messages", "0007-user.md"), "three");
    watchWrites(() => take(log), kill);
    const all = ["> One", "Let me look.", "bash: b.txt", "1", "> two", "2", "> three"];
    expect(said(factsOf(log))).toEqual(all);
    expect(expected.length).toBeGreaterThan(30);
    for (const index of expected.keys()) {
      const left = got(openMarkdown(copyOf(index)).open(MARKDOWN_ID)).log;
      expect(said(factsOf(left)), `kill ${index}`).toEqual(all);
      expect(take(left), `kill ${index}`).toEqual([]);
      expect(left.digest.turns, `kill ${index}`).toBe(3);
      left.close();
    }
    log.close();
  });
});
