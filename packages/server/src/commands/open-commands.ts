import type { SourceInventory } from "@harness/extensions";
import { type BroughtCommandsDeps, broughtCommands } from "./brought/brought-commands.ts";
import { CommandCatalog } from "./command-catalog.ts";
import { broughtNames, builtInCommands, lastCommands } from "./index.ts";

/** The slash commands of all sources: of those with one name the first one counts. */
export function openCommands(sources: SourceInventory, deps: BroughtCommandsDeps): CommandCatalog {
  return new CommandCatalog([builtInCommands, ...broughtCommands(sources, deps), lastCommands, broughtNames]);
}
