import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { mayBeProgram } from "./program-words.ts";

let root = "";
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), "words-"));
  mkdirSync(join(root, "work/app"), { recursive: true });
  mkdirSync(join(root, "home"), { recursive: true });
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

const may = (word: string) =>
  mayBeProgram(word, join(root, "work/app"), { HOME: join(root, "home"), HARNESS_HOME: join(root, "config") });

it.each([
  "home/.harness/commands/deploy",
  "home/.harness/plugins/ops/commands/Deploy.py",
  "config/commands/deploy.sh",
  "work/.harness/commands/deploy",
  "work/app/.harness/plugins/ops/commands/deploy",
  "work/app/.claude/commands/deploy",
  // It may add a folder that has one.
  "config/hooks.d/sources/40-team",
])("a word of the command line may be a program where there is %s", (path) => {
  expect(may("deploy")).toBe(false);
  mkdirSync(dirname(join(root, path)), { recursive: true });
  writeFileSync(join(root, path), "");
  expect(may("deploy")).toBe(true);
});

it("a word of the command line is not a program just because it names a Markdown command, or nothing", () => {
  mkdirSync(join(root, "config/commands"), { recursive: true });
  writeFileSync(join(root, "config/commands/fix.md"), "Fix it.");
  writeFileSync(join(root, "config/commands/deploy"), "");
  expect(may("fix")).toBe(false);
});
