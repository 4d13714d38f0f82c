import { execFile } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, expect, it } from "vitest";

const vitest = join(dirname(createRequire(import.meta.url).resolve("vitest/package.json")), "vitest.mjs");
const root = mkdtempSync(join(tmpdir(), "harness-reporter-"));
afterEach(() => rmSync(root, { recursive: true, force: true }));

it("names a test that passed only when it was tried again, with what went wrong first, and counts it as passed", async () => {
  writeFileSync(
    join(root, "sample.test.js"),
    `let tries = 0;
    describe("a group", () => it("comes late", () => expect(++tries).toBe(2)));
    it("fails", () => expect(1).toBe(2));
    it("passes", () => undefined);`,
  );
  const reporter = join(import.meta.dirname, "closing-line-reporter.ts");
  const args = [vitest, "run", "--root", root, "--globals", "--retry", "1", "--reporter", reporter];
  const output = await new Promise<string>((done) =>
    execFile(process.execPath, args, (_error, stdout) => done(stdout)),
  );
  expect(output).toBe(
    "\nflaky: sample.test.js > a group > comes late: expected 1 to be 2 // Object.is equality\n2 passed, 1 failed, 0 skipped\n",
  );
});
