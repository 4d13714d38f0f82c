// A step of `npm test`, before vitest: installs the runtime of model files for the tests of packages/gguf, with the
// same code as `harness model add`, once per checkout and version. The runtime is not a dependency of harness.
import { join } from "node:path";
import { installRuntime } from "../src/runtime/install-runtime.ts";
import { isInstalled } from "../src/runtime/runtime-folder.ts";

const root = join(import.meta.dirname, "../../..");
const folder = join(root, "node_modules/.cache/harness/gguf-runtime");
const clock = {
  now: () => Date.now(),
  monotonicMs: () => performance.now(),
  sleep: (ms) => new Promise((resolve) => setTimeout(resolve, ms)),
};

if (!(await isInstalled(folder))) {
  process.stderr.write(`harness: the tests need node-llama-cpp in ${folder} (npm ci, once, about 120 MB).\n`);
  const answer = await installRuntime({ folder, env: process.env, clock });
  if (!answer.ok) {
    process.stderr.write(`harness: ${answer.problem}\n`);
    process.exitCode = 1;
  }
}
