import { execFileSync } from "node:child_process";
import { join, resolve } from "node:path";
import type { TestProject } from "vitest/node";

const root = resolve(import.meta.dirname, "../../..");

/**
 * Before the tests: a first start that needs the bundle, which builds dist/ again where a source is newer. Tests start the command and the
 * server from there, as people do; a start from source would cost each of the hundreds of processes four times the work.
 */
export function setup(project: TestProject): void {
  const bundle = () => {
    execFileSync(join(root, "bin/harness"), ["help", "exit-codes"], { stdio: ["ignore", "ignore", "inherit"] });
  };
  bundle();
  project.onTestsRerun(async () => bundle());
}
