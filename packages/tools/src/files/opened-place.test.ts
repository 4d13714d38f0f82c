import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  symlinkSync,
} from "node:fs";
import { open, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { liesAt, pinFolder } from "./opened-place.ts";

let root: string;
let inside: string;
let outside: string;
beforeEach(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), "harness-place-")));
  inside = join(root, "inside");
  outside = join(root, "outside");
  mkdirSync(inside);
  mkdirSync(outside);
});
afterEach(() => rmSync(root, { recursive: true }));

/** Swaps a folder as an attacker would, to make a tool reach further than allowed. */
function exchange(): string {
  const moved = join(root, "moved");
  renameSync(inside, moved);
  symlinkSync(outside, inside);
  return moved;
}

const hasHandlePaths = existsSync("/proc/self/fd");

describe("an opened file or folder", () => {
  it.skipIf(!hasHandlePaths)("is identified by its real path, wherever its name leads now", async () => {
    const path = join(inside, "f");
    await writeFile(path, "x");
    await writeFile(join(outside, "f"), "y");
    const before = await open(path);
    exchange();
    const after = await open(path);
    expect([liesAt(before.fd, path), liesAt(after.fd, path)]).toEqual([false, false]);
    expect(liesAt(after.fd, join(root, "OUTSIDE", "f"))).toBe(true);
    await before.close();
    await after.close();
  });

  it("cannot be pinned as a folder when it is a file or behind a link", async () => {
    await writeFile(join(root, "file"), "x");
    symlinkSync(outside, join(root, "link"));
    mkdirSync(join(outside, "deeper"));
    for (const name of ["file", "link", "link/deeper"]) expect(pinFolder(join(root, name))).toBeUndefined();
    expect(() => pinFolder(join(root, "none"))).toThrow("ENOENT");
  });

  it.skipIf(!hasHandlePaths)("stays the same folder when a link replaces its name", async () => {
    const folder = pinFolder(inside);
    expect(folder?.isInPlace()).toBe(true);
    const moved = exchange();
    await writeFile(folder?.entry("f") ?? "", "x");
    expect(readFileSync(join(moved, "f"), "utf8")).toBe("x");
    expect(existsSync(join(outside, "f"))).toBe(false);
    expect(folder?.isInPlace()).toBe(false);
    folder?.close();
  });
});
