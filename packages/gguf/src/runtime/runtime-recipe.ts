import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { type Environment, readOwnFile } from "@harness/host";

/** Packages that are installed on request, into a folder of their own, from a lock file that comes with harness. */
export type RuntimeRecipe = {
  /** The folder below `runtimes` of the config root. */
  id: string;
  /** The variable that overrides the folder. */
  variable: string;
  /** The folder below `packages/gguf` with package.json and package-lock.json. */
  folder: string;
  /** Completes "npm could not install …". */
  purpose: string;
  /** The package that people know. */
  packageName: string;
  /** The space on the disk that its installation takes. */
  neededMb: number;
  /** A module that loads the library once: it exits with 0, or prints why it does not run here. */
  loadScript: string;
};

/** The folder of an installed runtime, below the config root unless a variable overrides it. */
export function runtimeFolder(root: string, env: Environment, recipe: RuntimeRecipe): string {
  return env[recipe.variable]?.trim() || join(root, "runtimes", recipe.id);
}

/** The list of packages that comes with harness: next to the sources, or found from the bundle. */
export function recipeFolder({ folder }: RuntimeRecipe): string {
  const here = import.meta.dirname;
  return join(here, import.meta.filename.endsWith(".ts") ? "../.." : "../packages/gguf", folder);
}

/** True if exactly this version of the runtime is installed in a folder. */
export async function isInstalled(folder: string, recipe: RuntimeRecipe): Promise<boolean> {
  const lock = join(recipeFolder(recipe), "package-lock.json");
  try {
    return readOwnFile(lock) === readOwnFile(join(folder, "package-lock.json"));
  } catch {
    return false;
  }
}

/** The address of a module of an installed runtime. */
export function runtimeModule(folder: string, ...path: string[]): string {
  return pathToFileURL(join(folder, "node_modules", ...path)).href;
}
