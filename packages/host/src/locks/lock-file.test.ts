import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, rmSync, truncateSync, utimesSync, writeFileSync } from "node:fs";
import { hostname, tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { describeOwner, takeLock, thisProcess } from "./lock-file.ts";
import { blockForLock } from "./wait-for-lock.ts";

let folder = "";
const path = () => join(folder, "lock");
const me = (instanceId: string) => thisProcess(instanceId, "2026-11-21T00:00:00.000Z");
/** Above the largest number Linux gives to a process. */
const gone = { pid: 2 ** 22 + 1, host: hostname(), instanceId: "gone", at: "then" };

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "lock-"));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

it("a lock has one holder, and leaves no file when it is released", () => {
  const lock = takeLock(path(), me("a"));
  expect(takeLock(path(), me("b"))).toMatchObject({ owner: { pid: process.pid, instanceId: "a" } });
  expect(takeLock(path(), me("a"))).toMatchObject({ owner: { instanceId: "a" } });
  if ("release" in lock) lock.release();
  expect(readdirSync(folder)).toEqual([]);
  expect(takeLock(path(), me("b"))).toHaveProperty("release");
});

it("a lock is not released by an owner that has lost it", () => {
  const lock = takeLock(path(), me("a"));
  writeFileSync(path(), JSON.stringify(me("b")));
  if ("release" in lock) lock.release();
  expect(takeLock(path(), me("c"))).toMatchObject({ owner: { instanceId: "b" } });
});

it("a lock of a dead process is taken over, even when an earlier takeover was killed halfway", () => {
  for (const guard of [undefined, JSON.stringify(gone)]) {
    writeFileSync(path(), JSON.stringify(gone));
    if (guard) writeFileSync(`${path()}.takeover`, guard);
    const lock = takeLock(path(), me("a"));
    expect(lock).toHaveProperty("release");
    expect(readdirSync(folder)).toEqual(["lock"]);
    if ("release" in lock) lock.release();
  }
});

it("a lock that another process is taking over is left to that process", () => {
  writeFileSync(path(), JSON.stringify(gone));
  writeFileSync(`${path()}.takeover`, JSON.stringify(me("faster")));
  expect(takeLock(path(), me("a"))).toMatchObject({ owner: { instanceId: "gone" } });
});

it.each([
  ["lock", "an empty lock file"],
  ["lock.takeover", "an empty guard of a takeover that crashed"],
])("%s: %s is taken over at the first try, as soon as nobody can be writing it", (name) => {
  if (name !== "lock") writeFileSync(path(), JSON.stringify(gone));
  writeFileSync(join(folder, name), "");
  const startedAt = performance.now();
  expect(takeLock(path(), me("a"))).toHaveProperty("release");
  expect(performance.now() - startedAt).toBeGreaterThan(500);
  expect(readdirSync(folder)).toEqual(["lock"]);
});

it.each<[string, () => void]>([
  ["a lock that is a named pipe", () => void execFileSync("mkfifo", [path()])],
  ["a lock of 1 GB", () => truncateSync(path(), 2 ** 30)],
])("%s holds nobody up and is replaced", (_name, put) => {
  if (_name.includes("GB")) writeFileSync(path(), "");
  put();
  expect(takeLock(path(), me("a"))).toHaveProperty("release");
});

it("a lock that could not be written leaves no draft", () => {
  mkdirSync(path());
  expect(takeLock.bind(undefined, path(), me("a"))).toThrow(/EISDIR/);
  expect(readdirSync(folder)).toEqual(["lock"]);
});

it("drafts that killed processes left are swept with the next lock, and no others", () => {
  const [old, young] = ["0123456789abcdef", "fedcba9876543210"];
  const names = [`a.json.lock.${old}`, `lock.${old}`, `a.json.123-0123abcd.tmp`, `own.lock.${young}`, "notes.tmp"];
  for (const name of names) writeFileSync(join(folder, name), "");
  for (const name of names) if (!name.includes(young)) utimesSync(join(folder, name), 1, 1);
  const lock = blockForLock(path(), 0);
  if ("release" in lock) lock.release();
  expect(readdirSync(folder).sort()).toEqual(["notes.tmp", `own.lock.${young}`]);
});

it("taking a lock throws the errors of the file system", () => {
  expect(() => takeLock(join(folder, "missing", "lock"), me("a"))).toThrow(/ENOENT/);
});

it("the description of an owner names its process, computer and start time", () => {
  expect(describeOwner({ ...gone, pid: 7 })).toBe("process 7, since then");
  expect(describeOwner({ ...gone, pid: 7, host: "far" })).toBe('process 7 on the computer "far", since then');
  expect(describeOwner(undefined)).toBe("another process");
  // A time without a zone is in this computer's.
  const at = new Date("2026-11-23T08:27:26.350").toISOString();
  expect(describeOwner({ ...gone, pid: 7, at })).toBe("process 7, since 2026-11-23 08:27");
});
