// A step of `npm test`, before vitest: installs the runtimes of model files and of the built-in embedder for the tests of
// packages/gguf, with the same code as `harness model add` and `harness index`, once per checkout and version. They are
// not dependencies of harness.
import { join } from "node:path";
import { installRuntime } from "../src/runtime/install-runtime.ts";
import { llamaRecipe } from "../src/runtime/llama-recipe.ts";
import { isInstalled } from "../src/runtime/runtime-recipe.ts";
import { sentenceRecipe } from "../src/runtime/sentence-recipe.ts";

const root = join(import.meta.dirname, "../../..");
const clock = {
  now: () => Date.now(),
  monotonicMs: () => performance.now(),
  sleep: (ms) => new Promise((resolve) => setTimeout(resolve, ms)),
};

for (const recipe of [llamaRecipe, sentenceRecipe]) {
  const folder = join(root, `node_modules/.cache/harness/${recipe.id}-runtime`);
  if (await isInstalled(folder, recipe)) continue;
  process.stderr.write(`harness: the tests need ${recipe.packageName} in ${folder} (npm ci, once).\n`);
  const answer = await installRuntime({ recipe, folder, env: process.env, clock });
  if (!answer.ok) {
    process.stderr.write(`harness: ${answer.problem}\n`);
    process.exitCode = 1;
  }
}
