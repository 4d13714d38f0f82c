import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, rmSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { diskProblem } from "./disk-problem.ts";
import { makeFolder, makePrivateFolder } from "./private-folder.ts";
import { readRegularFile } from "./regular-file.ts";

let folder = "";
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "regular-"));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const read = (name: string, followLinks = true) =>
  readRegularFile(join(folder, name), { maxBytes: 10, followLinks }).toString();

describe("reading a regular file", () => {
  it("refuses a named pipe, a device, an endless link, a folder and a large file at once", () => {
    execFileSync("mkfifo", [join(folder, "pipe")]);
    symlinkSync("/dev/zero", join(folder, "endless"));
    symlinkSync(join(folder, "pipe"), join(folder, "to-pipe"));
    writeFileSync(join(folder, "large"), "12345678901");
    for (const name of ["pipe", "endless", "to-pipe"]) expect(() => read(name)).toThrow("not a regular file");
    expect(() => readRegularFile(folder, { maxBytes: 10, followLinks: true })).toThrow("not a regular file");
    expect(() => read("large")).toThrow("it is larger than 10 bytes");
  });

  it("reads what a link leads to only where that is wanted", () => {
    writeFileSync(join(folder, "a"), "text");
    symlinkSync("a", join(folder, "link"));
    expect(read("link")).toBe("text");
    expect(() => read("link", false)).toThrow(/ELOOP/);
  });

  it.skipIf(!existsSync("/proc/self/status"))("bounds a file whose size the system gives as 0", () => {
    expect(() => readRegularFile("/proc/self/status", { maxBytes: 100, followLinks: true })).toThrow("larger than 100");
    expect(readRegularFile("/proc/self/status", { maxBytes: 100_000, followLinks: true }).toString()).toMatch(/^Name:/);
  });
});

describe("making a folder", () => {
  it("makes the missing ones above it, for this user alone where that is wanted", () => {
    makePrivateFolder(join(folder, "a/b/c"));
    expect(statSync(join(folder, "a/b")).mode & 0o777).toBe(0o700);
    makePrivateFolder(join(folder, "a/b/c"));
    symlinkSync("a", join(folder, "link"));
    makeFolder(join(folder, "link/d"));
    expect(statSync(join(folder, "a/d")).isDirectory()).toBe(true);
  });

  it("says that a file is in its place", () => {
    writeFileSync(join(folder, "file"), "");
    const problemOf = (path: string) => {
      try {
        makeFolder(path);
      } catch (error) {
        return diskProblem(error, "save the settings", path);
      }
      return "made";
    };
    expect(problemOf(join(folder, "file"))).toContain("there is a file where a folder should be (EEXIST");
    expect(problemOf(join(folder, "file", "below"))).toContain("a part of the path is a file, not a folder (ENOTDIR");
    mkdirSync(join(folder, "real"));
    expect(problemOf(join(folder, "real"))).toBe("made");
  });

  it.skipIf(!existsSync("/proc/self"))("ends where the system has no place for a folder, and says so", () => {
    expect(() => makeFolder("/proc/self/x/y")).toThrow(/ENOENT/);
    try {
      makeFolder("/proc/self/x/y");
    } catch (error) {
      expect(diskProblem(error, "save the settings", "/proc/self/x/y/settings.json")).toBe(
        "Could not save the settings: no folder can be created there (ENOENT, /proc/self/x/y/settings.json). Set HOME or HARNESS_HOME to a folder where you may write.",
      );
    }
  });
});
