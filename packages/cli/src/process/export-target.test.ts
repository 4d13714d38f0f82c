import { execFileSync } from "node:child_process";
import { chmodSync, mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { exportTarget } from "./export-target.ts";

const root = mkdtempSync(join(tmpdir(), "targets-"));
const at = (name: string) => join(root, name);
beforeAll(() => {
  execFileSync("mkfifo", [at("pipe")]);
  mkdirSync(at("folder"));
  writeFileSync(at("file"), "mine");
  symlinkSync(at("pipe"), at("to-pipe"));
  symlinkSync(at("file"), at("to-file"));
  mkdirSync(at("closed"));
  chmodSync(at("closed"), 0o500);
});
afterAll(() => rmSync(root, { recursive: true }));

describe("the target of an export", () => {
  it.each([
    ["file", "file"],
    ["new", "new"],
    ["to-file", "to-file"],
  ])("may be %s, and nothing is made or changed yet", (named, path) => {
    const before = readdirSync(root);
    expect(exportTarget("--trajectory", named, root)).toBe(at(path));
    expect(readdirSync(root)).toEqual(before);
  });

  it("may be stdout", () => expect(exportTarget("-o", "-", root)).toBe("-"));

  it.each([
    ["pipe", "--trajectory: pipe is not a regular file. Name another file, or - for stdout."],
    ["to-pipe", "is not a regular file"],
    ["/dev/stdout", "is not a regular file"],
    ["/dev/null", "is not a regular file"],
    ["/dev/fd/1", "is not a regular file"],
    ["/proc/self/fd/1", "is not a regular file"],
    ["folder", "folder is a folder. Name a file in it."],
    ["file/below", "file/below cannot be written"],
    ["gone/below", "cannot be written (ENOENT)"],
  ])("is never %s, and nobody waits for it", (named, problem) => {
    expect(() => exportTarget("--trajectory", named, root)).toThrow(problem);
  });

  it.skipIf(process.getuid?.() === 0)("is never in a folder that cannot be written", () => {
    expect(() => exportTarget("-o", "closed/new", root)).toThrow("cannot be written (EACCES)");
  });
});
