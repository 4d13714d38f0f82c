import { mkdtempSync, readdirSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { hostname, tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { describeOwner, takeLock, thisProcess } from "./lock-file.ts";

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

it("an empty lock file becomes stale after a while", () => {
  writeFileSync(path(), "");
  expect(takeLock(path(), me("a"))).toEqual({ owner: undefined });
  utimesSync(path(), 1, 1);
  expect(takeLock(path(), me("a"))).toHaveProperty("release");
});

it("taking a lock throws the errors of the file system", () => {
  expect(() => takeLock(join(folder, "missing", "lock"), me("a"))).toThrow(/ENOENT/);
});

it("the description of an owner names its process, computer and start time", () => {
  expect(describeOwner({ ...gone, pid: 7 })).toBe("process 7, since then");
  expect(describeOwner({ ...gone, pid: 7, host: "far" })).toBe('process 7 on the computer "far", since then');
  expect(describeOwner(undefined)).toBe("another process");
});
