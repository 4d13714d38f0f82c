import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
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
  take,
} from "../../../test/markdown-session.ts";
import { type Disk, realDisk } from "../disk.ts";
import { openStore } from "../session-store.ts";

let root = "";
let copies = "";
/** The conversation that was acknowledged before a copy, and with what was being stored. */
let expected: { acknowledged: string[]; next: string[] }[] = [];
let known: string[] = [];
/** Each copy is what a kill in this moment leaves. */
let isWatching = false;

const copyOf = (index: number) => join(copies, String(index));

function kill(): void {
  if (!isWatching) return;
  cpSync(root, copyOf(expected.length), { recursive: true, preserveTimestamps: true });
  rmSync(join(copyOf(expected.length), MARKDOWN_ID, "lock"), { recursive: true, force: true });
  expected.push({ acknowledged: known, next: known });
}

/** Writes each line in pieces; each copy is made between two of them. */
const watchedDisk: Disk = {
  ...realDisk,
  write(fd, bytes, offset, length) {
    if (offset === 0) kill();
    const written = realDisk.write(fd, bytes, offset, Math.max(1, Math.ceil(length / 2)));
    kill();
    return written;
  },
};

function watched(): SessionStore {
  const place = { path: root, isOurs: true };
  const clock = { now: () => Date.parse(MARKDOWN_AT) };
  return openStore(root, { clock, disk: watchedDisk, places: { all: () => [place], forNew: () => place } });
}

/** One step; the copies that are made during it may have it, or not. */
function step(log: SessionLog, work: () => void): void {
  const first = expected.length;
  known = said(factsOf(log));
  isWatching = true;
  work();
  isWatching = false;
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

describe("a Markdown session whose process is killed", () => {
  it("at any write to its log, has all that was acknowledged, and nothing twice", () => {
    const log = watched().create({ sessionId: MARKDOWN_ID, cwd: "/project", createdAt: MARKDOWN_AT, version: 1 });
    append(log, asks("zero"));
    const facts: Fact[] = [
      says("0"),
      idle,
      asks("one"),
      callsBash,
      result("a.txt"),
      says("1"),
      idle,
      asks("two"),
      says("2"),
      idle,
    ];
    for (const fact of facts) step(log, () => append(log, fact));
    step(log, () => append(log, rewindTo(9)));
    step(log, () => append(log, redoOf("w9")));
    const path = join(root, MARKDOWN_ID, "messages", "0002-assistant.md");
    writeFileSync(path, readFileSync(path, "utf8").replace("0\n", "zero\n"));
    log.close();
    expect(expected.length).toBeGreaterThan(30);
    for (const [index, { acknowledged, next }] of expected.entries()) {
      const store = openMarkdown(copyOf(index));
      const left = got(store.open(MARKDOWN_ID)).log;
      const lines = said(factsOf(left));
      expect([acknowledged, next], `kill ${index}`).toContainEqual(lines);
      expect(take(left), `kill ${index}`).toEqual([]);
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

  it("while edits are taken in, has them once", () => {
    const log = watched().create({ sessionId: MARKDOWN_ID, cwd: "/project", createdAt: MARKDOWN_AT, version: 1 });
    append(log, asks("one"), callsBash, result("a.txt"), says("1"), idle, asks("two"), says("2"), idle);
    const put = (name: string, from: string, to: string) => {
      const path = join(root, MARKDOWN_ID, "messages", name);
      writeFileSync(path, readFileSync(path, "utf8").replace(from, to));
    };
    put("0001-user.md", "one", "One");
    put("0003-tool_result.md", "a.txt", "b.txt");
    writeFileSync(join(root, MARKDOWN_ID, "messages", "0007-user.md"), "three");
    isWatching = true;
    take(log);
    isWatching = false;
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
