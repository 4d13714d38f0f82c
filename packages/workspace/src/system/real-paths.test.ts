import { mkdirSync, mkdtempSync, realpathSync, renameSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { isOnOwnDisk } from "./own-disk.ts";
import { realPaths } from "./real-paths.ts";

let root: string;
beforeEach(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), "harness-paths-")));
  for (const name of ["one", "two"]) mkdirSync(join(root, name));
  symlinkSync(join(root, "one"), join(root, "link"));
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

describe.runIf(process.platform === "linux")("a folder of the workspace on a disk of this machine", () => {
  it("answers at once from the second question on, each time as things are", async () => {
    const paths = realPaths("/home/me");
    const link = join(root, "link");
    expect(paths.realNow?.(link)).toBeUndefined();
    const first = await paths.identity?.(link);
    expect(paths.identity?.(link)).toBe(first);
    expect(paths.realNow?.(link)).toBe(join(root, "one"));
    rmSync(link);
    symlinkSync(join(root, "two"), link);
    expect(paths.realNow?.(link)).toBe(join(root, "two"));
    expect(paths.identity?.(link)).not.toBe(first);
  });

  it("has no identity once it is gone, and its path is looked for as that of any missing folder", async () => {
    const paths = realPaths("/home/me");
    const folder = join(root, "one");
    await paths.identity?.(folder);
    renameSync(folder, join(root, "three"));
    expect(paths.identity?.(folder)).toBeUndefined();
    expect(paths.realNow?.(folder)).toBeUndefined();
    expect(await paths.real(folder)).toBe(folder);
  });

  it("is distinguished from a folder that a program or another machine may answer for", async () => {
    expect(await isOnOwnDisk(root)).toBe(true);
    expect(await isOnOwnDisk("/proc")).toBe(false);
    expect(await isOnOwnDisk(join(root, "missing"))).toBe(false);
  });
});

describe("a path that no workspace has", () => {
  it("is waited for, wherever it is", async () => {
    const paths = realPaths("/home/me");
    expect(paths.realNow?.(root)).toBeUndefined();
    expect(await paths.real(join(root, "link", "x"))).toBe(join(root, "one", "x"));
  });
});
