import { CommandDefinitions, type SourceInventory } from "@harness/extensions";
import type { Executables } from "../../extensions/open-executables.ts";
import type { SkillCatalog } from "../../skills/skill-catalog.ts";
import type { CommandSource } from "../server-command.ts";
import { markdownCommands } from "./markdown-commands.ts";
import { programCommands } from "./program-commands.ts";
import { skillCommands } from "./skill-commands.ts";

/** The slash commands that people bring along: of one name a program counts before a file with words, and that before a skill. */
export function broughtCommands(
  sources: SourceInventory,
  { programs, skills }: { programs: Executables; skills: SkillCatalog },
): CommandSource[] {
  return [
    programCommands(programs.commands, programs.environment),
    markdownCommands(new CommandDefinitions(sources)),
    skillCommands(skills),
  ];
}
