import { commandForm, Definitions, type SourceInventory } from "@harness/extensions";
import type { Executables, McpFolder, SkillCatalog } from "@harness/workspace";
import type { CommandSource } from "../server-command.ts";
import { markdownCommands } from "./markdown-commands.ts";
import { mcpPrompts } from "./mcp-prompts.ts";
import { programCommands } from "./program-commands.ts";
import { skillCommands } from "./skill-commands.ts";

export type BroughtCommandsDeps = {
  programs: Executables;
  skills: SkillCatalog;
  /** The MCP servers of a session, or of a folder. */
  mcpOf(cwd: string, sessionId?: string): McpFolder;
};

/** The slash commands that people bring along: of one name a program counts before a file with words, and that before a skill. */
export function broughtCommands(
  sources: SourceInventory,
  { programs, skills, mcpOf }: BroughtCommandsDeps,
): CommandSource[] {
  return [
    programCommands(programs.commands, programs.environment),
    markdownCommands(new Definitions(sources, commandForm)),
    skillCommands(skills),
    mcpPrompts((cwd, session) => mcpOf(cwd, session?.sessionId)),
  ];
}
