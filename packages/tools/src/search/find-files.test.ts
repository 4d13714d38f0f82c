import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { createTrial, type Trial } from "../../test/trial.ts";
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
