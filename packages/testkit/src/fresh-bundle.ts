import { execFileSync } from "node:child_process";
import { join, resolve } from "node:path";
import type { TestProject } from "vitest/node";

const root = resolve(import.meta.dirname, "../../..");

/**
 * Before the tests: starts something that needs the bundle, which rebuilds dist/ if a source is newer. Tests start the
 * command and the server from there, as users do; starting each of the hundreds of processes from source would cost
 * four times as much.
 */
export function setup(project: TestProject): void {
  const bundle = () => {
    execFileSync(join(root, "bin/harness"), ["help", "exit-codes"], { stdio: ["ignore", "ignore", "inherit"] });
  };
  bundle();
  project.onTestsRerun(async () => bundle());
}
