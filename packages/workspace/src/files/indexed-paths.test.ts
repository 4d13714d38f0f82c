import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, truncateSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { indexedPaths } from "./indexed-paths.ts";

let folder = "";
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "indexed-paths-"));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

function put(path: string, sizeBytes = 1): void {
  mkdirSync(dirname(join(folder, path)), { recursive: true });
  writeFileSync(join(folder, path), "");
  truncateSync(join(folder, path), sizeBytes);
}

const LARGE = ["data/large.json", "vendor/lib.go", ".hidden/a.ts", "target/out.rs"];

beforeEach(() => {
  put("src/a.ts");
  put("data/small.json", 1_000_000);
  put("data/large.json", 1_000_001);
  for (const path of LARGE.slice(1)) put(path);
  put("node_modules/x/index.js");
  symlinkSync("..", join(folder, "src/loop"));
});

it("leaves out hidden, vendored and large files outside a repository", async () => {
  const paths = await indexedPaths(folder);
  expect(paths.filter((path) => !path.startsWith("src/loop")).toSorted()).toEqual(["data/small.json", "src/a.ts"]);
});

it("has all files of a repository that git does not ignore", async () => {
  execFileSync("git", ["init", "-q"], { cwd: folder });
  const paths = await indexedPaths(folder);
  expect(paths.toSorted()).toEqual([...LARGE, "data/small.json", "src/a.ts", "src/loop"].toSorted());
});
