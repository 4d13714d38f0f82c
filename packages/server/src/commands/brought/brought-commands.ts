import { CommandDefinitions, type SourceInventory } from "@harness/extensions";
import type { Executables } from "../../extensions/open-executables.ts";
import type { SessionTools } from "../../tools/session-tools.ts";
import type { CommandSource } from "../server-command.ts";
import { markdownCommands } from "./markdown-commands.ts";
import { programCommands } from "./program-commands.ts";

/** The slash commands that people bring along: of one name a program counts before a file with words. */
export function broughtCommands(
  sources: SourceInventory,
  { programs, tools }: { programs: Executables; tools: SessionTools },
): CommandSource[] {
  return [
    programCommands(programs.commands, programs.environment),
    markdownCommands(new CommandDefinitions(sources), tools),
  ];
}
