import {
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { moveFolder } from "./move-folder.ts";

/** A folder on another disk. */
const OTHER = "/dev/shm";
const hasOther = existsSync(OTHER) && statSync(OTHER).dev !== statSync(tmpdir()).dev;

describe.each([
  ["on one disk", tmpdir(), true],
  [`to another disk${hasOther ? "" : " - skipped: no /dev/shm"}`, OTHER, hasOther],
])("a folder that moves %s", (_name, target, isThere) => {
  let from = "";
  let to = "";
  beforeEach(() => {
    from = mkdtempSync(join(tmpdir(), "from-"));
    to = isThere ? mkdtempSync(join(target, "to-")) : "";
    mkdirSync(join(from, "s", "blobs"), { recursive: true, mode: 0o700 });
    writeFileSync(join(from, "s", "log.jsonl"), "one\n", { mode: 0o600 });
    writeFileSync(join(from, "s", "blobs", "a.txt"), "two");
    symlinkSync("/etc/hostname", join(from, "s", "link"));
  });
  afterEach(() => {
    for (const path of [from, to]) if (path !== "") rmSync(path, { recursive: true, force: true });
  });

  it.skipIf(!isThere)("is there as it was, and no longer here", async () => {
    const before = statSync(join(from, "s", "log.jsonl"));
    await moveFolder(join(from, "s"), join(to, "s"));
    expect(readdirSync(from)).toEqual([]);
    expect(readdirSync(to)).toEqual(["s"]);
    expect(readFileSync(join(to, "s", "blobs", "a.txt"), "utf8")).toBe("two");
    expect(lstatSync(join(to, "s", "link")).isSymbolicLink()).toBe(true);
    const { mode, mtimeMs } = statSync(join(to, "s", "log.jsonl"));
    expect(mode).toBe(before.mode);
    // File systems round the times that are set.
    expect(Math.abs(mtimeMs - before.mtimeMs)).toBeLessThan(2);
  });

  it.skipIf(!isThere)("stays where it is if it cannot be there", async () => {
    rmSync(to, { recursive: true });
    await expect(moveFolder(join(from, "s"), join(to, "s"))).rejects.toThrow();
    expect(readdirSync(from)).toEqual(["s"]);
    expect(readFileSync(join(from, "s", "log.jsonl"), "utf8")).toBe("one\n");
  });
});
