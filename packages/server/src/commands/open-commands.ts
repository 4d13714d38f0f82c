import { markdownCommands } from "./brought/markdown-commands.ts";
import { mcpPrompts } from "./brought/mcp-prompts.ts";
import { programCommands } from "./brought/program-commands.ts";
import { skillCommands } from "./brought/skill-commands.ts";
import { CommandCatalog } from "./command-catalog.ts";
import { broughtNames, builtInCommands, lastCommands } from "./index.ts";

/**
 * The slash commands of all sources; the first one with a name counts. Of the user's and projects' commands, a program
 * comes before a text file, and that before a skill.
 */
export function openCommands(): CommandCatalog {
  const brought = [programCommands, markdownCommands, skillCommands, mcpPrompts];
  return new CommandCatalog([builtInCommands, ...brought, lastCommands, broughtNames]);
}
