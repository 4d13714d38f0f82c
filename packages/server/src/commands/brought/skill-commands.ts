import { type FoundSkill, TYPED_NAME } from "@harness/workspace";
import type { CommandSource, ListedCommand, ServerCommand } from "../server-command.ts";
import { sendSkill } from "./send-skill.ts";

/** A slash command for each skill that the user may invoke. */
export const skillCommands: CommandSource = {
  list: ({ workspace }) => workspace.brought.skills.current.used.filter(isCommand).map(viewOf),
  find(name, { workspace }) {
    const [, where, plain = name] = /^(user|project):(.+)$/.exec(name) ?? [];
    const found = workspace.brought.skills.find(plain);
    if (!found || !isCommand(found)) return undefined;
    if (where !== undefined && found.source.owner !== (where === "user" ? "person" : where)) return undefined;
    return commandOf(found);
  },
};

function isCommand({ skill }: FoundSkill): boolean {
  return skill.forPerson && TYPED_NAME.test(skill.name);
}

function viewOf({ skill: { name, description, argumentHint }, path, source, shadows }: FoundSkill): ListedCommand {
  return {
    name,
    description,
    ...(argumentHint === undefined ? {} : { argumentHint }),
    needsSession: true,
    startsTurn: true,
    origin: { kind: "skill", owner: source.owner, from: path },
    ...(shadows.length > 0 ? { shadows: [...shadows] } : {}),
  };
}

function commandOf(found: FoundSkill): ServerCommand {
  return {
    description: found.skill.description,
    needsSession: true,
    startsTurn: true,
    run: (context, args) => sendSkill(context, found, { typed: found.skill.name, args }),
  };
}
