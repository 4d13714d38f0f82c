import { mkdirSync, mkdtempSync, realpathSync, renameSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { MomentaryPaths } from "./momentary-paths.ts";

let root: string;
beforeEach(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), "paths-")));
  mkdirSync(join(root, "folder"));
  writeFileSync(join(root, "folder/file"), "");
  writeFileSync(join(root, "outside"), "");
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

describe("paths without links", () => {
  it("a file that becomes a link is seen at once, and one that is gone is an error", () => {
    const paths = new MomentaryPaths();
    const file = join(root, "folder/file");
    expect(paths.file(file)).toBe(file);
    rmSync(file);
    symlinkSync("../outside", file);
    expect(paths.file(file)).toBe(join(root, "outside"));
    rmSync(file);
    expect(() => paths.file(file)).toThrow("ENOENT");
  });

  it("a file below a link to a folder lies where the link leads, also when that changes in the next moment", async () => {
    const paths = new MomentaryPaths();
    symlinkSync("folder", join(root, "link"));
    expect(paths.file(join(root, "link/file"))).toBe(join(root, "folder/file"));
    renameSync(join(root, "folder"), join(root, "other"));
    rmSync(join(root, "link"));
    symlinkSync("other", join(root, "link"));
    await new Promise((resolve) => setImmediate(resolve));
    expect(paths.file(join(root, "link/file"))).toBe(join(root, "other/file"));
  });
});
