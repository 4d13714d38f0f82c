import { mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { FolderWatch } from "./folder-watch.ts";

let base = "";
let seen: string[] = [];
const waiting: (() => void)[] = [];
let watched: FolderWatch;

beforeEach(() => {
  base = mkdtempSync(join(tmpdir(), "watch-"));
  seen = [];
  watched = open(10);
});
afterEach(() => {
  watched.close();
  rmSync(base, { recursive: true, force: true });
});

function open(maxFolders: number): FolderWatch {
  return new FolderWatch({
    maxFolders,
    onChange: (folder, name) => {
      seen.push(join(folder, name ?? ""));
      for (const look of waiting.splice(0)) look();
    },
  });
}

async function until(path: string): Promise<void> {
  while (!seen.includes(path)) await new Promise<void>((done) => waiting.push(done));
  seen = [];
}

it("reports what is made, written, replaced and removed in the folders that are watched", async () => {
  const file = join(base, "a");
  expect(watched.set([base, join(base, "none")])).toBe(true);
  expect(watched.size).toBe(1);
  expect(watched.set([base, join(base, "none")])).toBe(false);
  writeFileSync(file, "1");
  await until(file);
  writeFileSync(`${file}.tmp`, "2");
  renameSync(`${file}.tmp`, file);
  await until(file);
  rmSync(file);
  await until(file);
});

it("follows a folder that is replaced by another of its name", async () => {
  const folder = join(base, "deep");
  mkdirSync(folder);
  watched.set([base, folder]);
  rmSync(folder, { recursive: true });
  await until(folder);
  mkdirSync(folder);
  await until(folder);
  watched.set([base, folder]);
  writeFileSync(join(folder, "x"), "");
  await until(join(folder, "x"));
});

it("watches no more folders than it may, and none that is no longer wanted", () => {
  const few = open(2);
  for (const name of ["a", "b", "c"]) mkdirSync(join(base, name));
  few.set([join(base, "a"), join(base, "b"), join(base, "c")]);
  expect(few.size).toBe(2);
  few.set([join(base, "c")]);
  expect(few.size).toBe(1);
  few.close();
  expect(few.size).toBe(0);
});
