import {
  appendFileSync,
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { takeLock, thisProcess } from "../locks/lock-file.ts";
import { PrivateLog } from "./private-log.ts";

let folder = "";
const path = () => join(folder, "new", "lines.jsonl");
const text = (name = "lines.jsonl") => readFileSync(join(folder, "new", name), "utf8");
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "private-log-"));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

describe("a private log", () => {
  it("is made with its first line, for this user only", () => {
    const log = new PrivateLog(path());
    expect(readdirSync(folder)).toEqual([]);
    log.append("one");
    log.append("two");
    expect(text()).toBe("one\ntwo\n");
    expect([statSync(path()).mode & 0o777, statSync(join(folder, "new")).mode & 0o777]).toEqual([0o600, 0o700]);
  });

  it("is closed to others with the next line, which starts on a line of its own", () => {
    mkdirSync(join(folder, "new"));
    writeFileSync(path(), "torn");
    chmodSync(path(), 0o666);
    new PrivateLog(path()).append("whole");
    expect(text()).toBe("torn\nwhole\n");
    expect(statSync(path()).mode & 0o777).toBe(0o600);
  });

  it("starts a line of its own after one that another process has cut", () => {
    const log = new PrivateLog(path());
    log.append("one");
    appendFileSync(path(), "torn");
    log.append("two");
    // A different file in its place, as large as the first one would be.
    writeFileSync(`${path()}.new`, "x".repeat(statSync(path()).size));
    renameSync(`${path()}.new`, path());
    log.append("three");
    expect(text()).toBe(`${"x".repeat("one\ntorn\ntwo\n".length)}\nthree\n`);
  });

  it("rotates before it is too large, keeps so many older files and leaves no lock behind", () => {
    const log = new PrivateLog(path(), { maxBytes: 20, kept: 2 });
    for (const line of ["a", "b", "c", "d"]) log.append(line.repeat(15));
    expect(log.files.map((each) => readFileSync(each, "utf8")[0])).toEqual(["d", "c", "b"]);
    expect(readdirSync(join(folder, "new"))).toHaveLength(3);
    expect(() => log.append("longer than all that the file may hold")).not.toThrow();
  });

  it("grows beyond its size while it cannot be rotated, and loses no line", () => {
    const log = new PrivateLog(path(), { maxBytes: 20, kept: 2 });
    log.append("a".repeat(15));
    const lock = takeLock(`${path()}.lock`, thisProcess("other", "now"));
    log.append("b".repeat(15));
    expect(text()).toBe(`${"a".repeat(15)}\n${"b".repeat(15)}\n`);
    if ("release" in lock) lock.release();
    log.append("c");
    expect([text(), text("lines.jsonl.1").length]).toEqual(["c\n", 32]);
  });

  it("is cleared as a whole, and its first line may say what was there", async () => {
    const log = new PrivateLog(path(), { maxBytes: 20, kept: 2 });
    for (const line of ["a", "b"]) log.append(line.repeat(15));
    const counted = async (old: readonly string[]) => old.map((each) => readFileSync(each, "utf8")[0]).join(" ");
    expect(await log.clear(counted)).toBe(undefined);
    expect(text()).toBe("b a\n");
    expect(readdirSync(join(folder, "new"))).toEqual(["lines.jsonl"]);
  });

  it("is not cleared while another harness changes it", async () => {
    const log = new PrivateLog(path());
    log.append("kept");
    takeLock(`${path()}.lock`, thisProcess("other", "now"));
    expect(await log.clear(async () => "cleared")).toEqual({
      problem: expect.stringMatching(/lines\.jsonl is being changed by another harness.*lines\.jsonl\.lock/),
    });
    expect(text()).toBe("kept\n");
  });
});
