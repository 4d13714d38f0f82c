import { type RuntimeRecipe, runtimeModule } from "./runtime-recipe.ts";

/** llama.cpp for Node, which runs model files. */
export const llamaRecipe: RuntimeRecipe = {
  id: "gguf",
  variable: "HARNESS_GGUF_RUNTIME",
  folder: "runtime",
  purpose: "the runtime for model files",
  packageName: "node-llama-cpp",
  neededMb: 300,
  loadScript: `import { getLlama } from "node-llama-cpp";
// Macs with Apple's own chips have no build for the processor alone.
const gpu = process.platform === "darwin" && process.arch === "arm64" ? "auto" : false;
try {
  await getLlama({ gpu, build: "never", skipDownload: true, progressLogs: false, dryRun: true });
  process.exit(0);
} catch (error) {
  console.error(error.message);
  process.exit(1);
}
`,
};

export function llamaModule(folder: string): string {
  return runtimeModule(folder, "node-llama-cpp", "dist", "index.js");
}

/** A sentence: what is missing and how to install it. */
export const INSTALL_ADVICE =
  "Model files need node-llama-cpp (about 120 MB), which `harness model add <file.gguf>` installs.";
