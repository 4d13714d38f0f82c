import { join } from "node:path";
import { pathToFileURL } from "node:url";
import type { Environment } from "@harness/host";
import { readOwnFile } from "@harness/host";

/** The folder of the installed runtime, below the config root unless a variable overrides it. */
export function runtimeFolder(root: string, env: Environment): string {
  return env.HARNESS_GGUF_RUNTIME?.trim() || join(root, "runtimes", "gguf");
}

/** The list of packages that comes with harness: next to the sources, or found from the bundle. */
export function recipeFolder(): string {
  const here = import.meta.dirname;
  const path = import.meta.filename.endsWith(".ts") ? "../../runtime" : "../packages/gguf/runtime";
  return join(here, path);
}

/** True if exactly this version of the runtime is installed there. */
export async function isInstalled(folder: string): Promise<boolean> {
  const recipe = join(recipeFolder(), "package-lock.json");
  try {
    return readOwnFile(recipe) === readOwnFile(join(folder, "package-lock.json"));
  } catch {
    return false;
  }
}

export function runtimeModule(folder: string): string {
  return pathToFileURL(join(folder, "node_modules", "node-llama-cpp", "dist", "index.js")).href;
}

/** A sentence: what is missing and how to install it. */
export const INSTALL_ADVICE =
  "Model files need node-llama-cpp (about 120 MB), which `harness model add <file.gguf>` installs.";
