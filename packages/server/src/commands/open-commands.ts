import { markdownCommands } from "./brought/markdown-commands.ts";
import { mcpPrompts } from "./brought/mcp-prompts.ts";
import { programCommands } from "./brought/program-commands.ts";
import { skillCommands } from "./brought/skill-commands.ts";
import { CommandCatalog } from "./command-catalog.ts";
import { broughtNames, builtInCommands, lastCommands } from "./index.ts";

/**
 * The slash commands of all sources: of those with one name the first one counts. Of what people bring along a program
 * counts before a file with words, and that before a skill.
 */
export function openCommands(): CommandCatalog {
  const brought = [programCommands, markdownCommands, skillCommands, mcpPrompts];
  return new CommandCatalog([builtInCommands, ...brought, lastCommands, broughtNames]);
}
