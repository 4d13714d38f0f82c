import { execFileSync } from "node:child_process";
import { resolve } from "node:path";
import type { TestProject } from "vitest/node";

const root = resolve(import.meta.dirname, "../../..");
const bundleWhenStale = '. "$root/bin/runtime.sh"; bundle_fresh || exec "$0" "$root/bin/bundle.mjs"';

/**
 * Before the tests: dist/ is built again where a source is newer. Tests start the command and the server from there, as
 * people do; a start from source would cost each of the hundreds of processes four times the work.
 */
export function setup(project: TestProject): void {
  const bundle = () => {
    execFileSync("sh", ["-c", bundleWhenStale, process.execPath], { env: { ...process.env, root }, stdio: "inherit" });
  };
  bundle();
  project.onTestsRerun(async () => bundle());
}
