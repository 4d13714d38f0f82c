import { dirname } from "node:path";
import { type FoundSkill, skillText } from "@harness/workspace";
import type { SessionContext } from "../server-command.ts";
import { sendCommand } from "./send-command.ts";

/** The message consists of the instructions, with places for arguments and commands as in other commands. */
export function sendSkill(
  context: SessionContext,
  { skill, path, source }: FoundSkill,
  { typed, args }: { typed: string; args: string },
) {
  const { name, body, allowedTools } = skill;
  const text = skillText({ name, path, body });
  const command = { name: typed, path, owner: source.owner, template: text, folder: dirname(path), allowedTools };
  return sendCommand(context, command, { args, skill: { name, path, text } });
}
