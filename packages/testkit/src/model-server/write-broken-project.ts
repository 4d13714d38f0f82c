import { execFile } from "node:child_process";
import { mkdir, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { promisify } from "node:util";

/** A library with two bugs and a test that shows them; `scenarios/fix-the-test.json` is the model that fixes it. */
const files: Record<string, string> = {
  "package.json": `${JSON.stringify(
    { name: "sum", version: "1.0.0", private: true, type: "module", scripts: { test: "node --test" } },
    null,
    2,
  )}\n`,
  "README.md": "# sum\n\nAdds numbers. `npm test` runs the tests.\n",
  "src/sum.js": `/** Adds up a list of numbers. */
export function sum(numbers) {
  let total = 1;
  for (let i = 0; i < numbers.length - 1; i += 1) {
    total += numbers[i];
  }
  return total;
}
`,
  "test/sum.test.js": `import assert from "node:assert/strict";
import { test } from "node:test";
import { sum } from "../src/sum.js";

test("the sum of nothing is 0", () => {
  assert.equal(sum([]), 0);
});

test("every number counts", () => {
  assert.equal(sum([1, 2, 3]), 6);
});
`,
};

export interface BrokenProject {
  root: string;
  sourceFile: string;
  testFile: string;
}

/** Writes the project into a directory (created if necessary) as a git repository with one commit. */
export async function writeBrokenProject(directory: string): Promise<BrokenProject> {
  for (const [name, text] of Object.entries(files)) {
    const path = join(directory, name);
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, text);
  }
  await git(directory, "init", "--quiet", "--initial-branch=main");
  await git(directory, "add", "--all");
  await git(directory, "commit", "--quiet", "--no-verify", "--message=Add sum");
  return {
    root: directory,
    sourceFile: join(directory, "src/sum.js"),
    testFile: join(directory, "test/sum.test.js"),
  };
}

/** Ignores the user's git settings, and uses fixed dates, so that the commit is the same everywhere. */
async function git(directory: string, ...args: string[]): Promise<void> {
  const { GIT_DIR, GIT_WORK_TREE, GIT_INDEX_FILE, ...inherited } = process.env;
  const person = { NAME: "Test", EMAIL: "test@example.invalid", DATE: "2026-11-02T09:00:00Z" };
  const identity = Object.entries(person).flatMap(([key, value]) => [
    [`GIT_AUTHOR_${key}`, value],
    [`GIT_COMMITTER_${key}`, value],
  ]);
  const quiet = { GIT_CONFIG_GLOBAL: "/dev/null", GIT_CONFIG_SYSTEM: "/dev/null" };
  const env = { ...inherited, ...quiet, ...Object.fromEntries(identity) };
  await promisify(execFile)("git", args, { cwd: directory, env });
}
