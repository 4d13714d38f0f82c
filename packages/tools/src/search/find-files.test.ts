import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { isWhole } from "@harness/testkit";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { createTrial, type Trial } from "../../test/trial.ts";
import { createGlob } from "../glob.ts";
import { createGrep } from "../grep.ts";
import { findFiles } from "./find-files.ts";

let trial: Trial;
beforeEach(() => {
  trial = createTrial();
});
afterEach(() => trial.remove());

describe("a cancelled search", () => {
  it.each(["**/*.ts", "nothing-is-called-so"])(
    "ends and reports the cancellation, even while %s has no match",
    async (pattern) => {
      const depth = 12;
      for (let level = 1; level <= depth; level += 1) trial.file(join(..."d".repeat(level), "file.ts"), "x");
      const stop = new AbortController();
      const search = findFiles({ base: trial.root, patterns: [pattern], cwd: trial.root, signal: stop.signal });
      stop.abort();
      const { files, incomplete } = await search;
      expect(incomplete).toBe(true);
      expect(files.length).toBeLessThan(depth);
    },
  );
});

describe("a search of a deep tree", () => {
  /** Creates a tree with a file on each level; the path of its last folder is as long as systems allow, or shorter. */
  function deepTree(name: string, depth: number): void {
    const root = process.cwd();
    try {
      mkdirSync(join(trial.root, name));
      process.chdir(join(trial.root, name));
      for (let level = 0; level < depth; level += 1) {
        writeFileSync("f.ts", "needle\n");
        mkdirSync("d");
        process.chdir("d");
      }
    } finally {
      process.chdir(root);
    }
  }

  it.each([
    ["glob", createGlob({ timeoutMs: 120_000 }), { pattern: "**/*.ts" }],
    ["grep", createGrep({ timeoutMs: 120_000, rgPath: null }), { pattern: "needle", limit: 1000 }],
  ])("takes time that grows with its depth and no faster: %s", async (_name, tool, args) => {
    const depths = isWhole ? [200, 1000] : [100, 500];
    const took: number[] = [];
    for (const depth of depths) {
      deepTree(`d${depth}`, depth);
      const started = process.cpuUsage();
      const result = await trial.run(tool, { ...args, path: `d${depth}` });
      const { user, system } = process.cpuUsage(started);
      took.push((user + system) / 1000);
      expect(result.status).toBe("ok");
      expect(result.text).toContain("/f.ts");
    }
    // Visiting every folder above each folder took a hundred times as long.
    const [few = 0, many = 0] = took;
    expect(many).toBeLessThan(30 * few + 500);
  });
});
