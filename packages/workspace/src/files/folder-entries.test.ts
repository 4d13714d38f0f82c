import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { folderEntries } from "./folder-entries.ts";

let root = "";
const git = (...args: string[]) => execFileSync("git", args, { cwd: root, stdio: "pipe" });
const put = (path: string, text = "") => {
  mkdirSync(join(root, path, ".."), { recursive: true });
  writeFileSync(join(root, path), text);
};
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), "entries "));
  for (const path of ["src/a.ts", "out/b.js", "README.md", "run.log", "kept.log", ".env", "node_modules/x/y.js"])
    put(path);
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

describe("the listing of a folder", () => {
  it("has folders first, without hidden and well-known ones", async () => {
    expect(await folderEntries(root)).toEqual(["out/", "src/", "README.md", "kept.log", "run.log"]);
    expect(await folderEntries(join(root, "none"))).toEqual([]);
  });

  it("leaves out what git ignores, by all its rules, and in a folder below as well", async () => {
    git("init", "-q");
    put(".gitignore", "/out/\n*.log\n!kept.log\n");
    writeFileSync(join(root, ".git/info/exclude"), "README.md\n");
    expect(await folderEntries(root)).toEqual(["src/", "kept.log"]);
    put("src/b.log");
    expect(await folderEntries(join(root, "src"))).toEqual(["a.ts"]);
  });

  it("is that of an ignored folder when it is the one that is asked about", async () => {
    git("init", "-q");
    put(".gitignore", "/out/\n");
    expect(await folderEntries(join(root, "out"))).toEqual(["b.js"]);
  });

  it("follows the rules of the session's folder outside a repository", async () => {
    const real = realpathSync(root);
    put(".gitignore", "*.log\n/src/a.ts\n");
    expect(await folderEntries(root)).toEqual(["out/", "src/", "README.md"]);
    expect(await folderEntries(join(real, "src"), real)).toEqual([]);
    expect(await folderEntries(join(real, "src"))).toEqual(["a.ts"]);
  });
});
