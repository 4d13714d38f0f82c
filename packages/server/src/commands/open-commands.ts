import type { SourceInventory } from "@harness/extensions";
import { type BroughtParts, broughtCommands } from "./brought/brought-commands.ts";
import { CommandCatalog } from "./command-catalog.ts";
import { broughtNames, builtInCommands, lastCommands } from "./index.ts";

/** The slash commands of all sources: of those with one name the first one counts. */
export function openCommands(sources: SourceInventory, parts: BroughtParts): CommandCatalog {
  return new CommandCatalog([builtInCommands, ...broughtCommands(sources, parts), lastCommands, broughtNames]);
}
