import { join } from "node:path";
import { findSources, namesIn } from "./find-sources.ts";
import type { SourceLocations } from "./source.ts";
import { sourceLayouts } from "./source-layouts.ts";
import { toolName } from "./tool-name.ts";

/** Hooks here may name folders that are unknown otherwise. */
const SOURCE_HOOKS = join("hooks.d", "sources");

/**
 * True if a word of the command line might be an extension program for a folder. False is certain, and costs checking a
 * few folders: most words begin a message, and need no server to find that out.
 */
export function mayHaveProgram(word: string, cwd: string, places: SourceLocations): boolean {
  const isWanted = (file: string) => !/\.md$/i.test(file) && toolName(file).toLowerCase() === word.toLowerCase();
  return findSources(cwd, places).sources.some(({ folder, layout, owner }) => {
    const commands = sourceLayouts[layout].filter(({ form }) => form === "command-tree");
    if (commands.some(({ path }) => namesIn(join(folder, path)).some(isWanted))) return true;
    return owner === "person" && layout === "harness" && namesIn(join(folder, SOURCE_HOOKS)).length > 0;
  });
}
