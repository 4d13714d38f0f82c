import { protocolError, ROOT_AGENT } from "@harness/protocol";
import { activeOf, type FolderSkills, type FoundSkill, skillText } from "@harness/workspace";
import { sendSkill } from "../brought/send-skill.ts";
import { misused, type ServerCommand, type SessionContext } from "../server-command.ts";

const USAGE =
  "Type /skills to list them, /skill NAME to read one, /use NAME [what to do] to use it, /unload NAME to stop using it.";

export const skillsCommand: ServerCommand = {
  description: "List the skills (instructions for kinds of tasks), those in use first.",
  needsSession: false,
  run: ({ workspace, session }) =>
    skillList(workspace.brought.skills, session?.state.agents.get(ROOT_AGENT)?.skills ?? []),
};

export const skillCommand: ServerCommand = {
  description: "Read a skill, or use it.",
  argumentHint: "NAME | use NAME [what to do]",
  needsSession: true,
  startsTurn: true,
  run(context, args) {
    const [, rest] = /^use\s+([\s\S]+)$/.exec(args) ?? [];
    if (rest !== undefined) return use(context, rest);
    if (args === "") throw misused(USAGE);
    return skillBlock(context.workspace.brought.skills.need(args));
  },
};

export const useCommand: ServerCommand = {
  description: "Use a skill: its instructions go with your next message, or with what you write here.",
  argumentHint: "NAME [what to do]",
  needsSession: true,
  startsTurn: true,
  run: use,
};

export const unloadCommand: ServerCommand = {
  description: "Stop using a skill: the agent is told to stop following it.",
  argumentHint: "NAME",
  needsSession: true,
  run: unload,
};

function use(context: SessionContext, args: string) {
  const [, name, rest = ""] = /^(\S+)\s*([\s\S]*)$/.exec(args) ?? [];
  if (name === undefined) throw misused(USAGE);
  const found = context.workspace.brought.skills.need(name);
  const skill = activeOf(found);
  if (rest !== "") return sendSkill(context, found, { typed: `use ${found.skill.name}`, args: rest });
  const refused = context.session.changeSkill(skill, "active");
  if (refused) throw protocolError("conflict", refused.problem, {});
  return `The skill ${skill.name} is in use: the agent gets its instructions with your next message. /unload ${skill.name} stops that.`;
}

function unload({ session }: SessionContext, args: string): string {
  const active = session.state.agents.get(ROOT_AGENT)?.skills ?? [];
  const found = active.find(({ name }) => name.toLowerCase() === args.toLowerCase());
  if (!found) {
    const names = active.map(({ name }) => name);
    throw misused(names.length === 0 ? "No skill is in use." : `In use: ${names.join(", ")}.`);
  }
  const refused = session.changeSkill(found, "unloaded");
  if (refused) throw protocolError("conflict", refused.problem, {});
  return `The skill ${found.name} is no longer in use.`;
}

function skillBlock({ skill, path, source, shadows }: FoundSkill): string {
  const { name, description, license, compatibility, metadata = {}, allowedTools, forModel, forPerson } = skill;
  const rows: [string, string | undefined][] = [
    ["Description", description],
    ["From", `${path}${source.owner === "project" ? " (this project)" : ""}`],
    ["Replaces", shadows.length > 0 ? shadows.join(", ") : undefined],
    ["Needs", compatibility],
    ["License", license],
    ["Allowed tools", allowedTools?.join(", ")],
    ["Used by", forModel ? (forPerson ? "the agent and you" : "the agent") : forPerson ? "you alone" : "nobody"],
    ...Object.entries(metadata).map(([key, value]): [string, string] => [key, value]),
  ];
  const lines = rows.flatMap(([title, text]) => (text === undefined ? [] : [`${title}: ${text}`]));
  return [name, ...lines, "", skillText({ name, path, body: skill.body })].join("\n");
}

function skillList(skills: FolderSkills, active: readonly { name: string }[]): string {
  const { used, unused } = skills.current;
  const inUse = new Set(active.map(({ name }) => name.toLowerCase()));
  const line = ({ skill: { name, description, forModel }, source, path }: FoundSkill) => [
    `${inUse.has(name.toLowerCase()) ? "→ " : "  "}${name}${source.owner === "project" ? " (this project)" : ""}: ${description}`,
    `      ${path}${forModel ? "" : " (for you alone)"}`,
  ];
  const none =
    used.length === 0
      ? [
          "There are no skills here. A skill is .harness/skills/NAME/SKILL.md here, or ~/.harness/skills/NAME/SKILL.md for all folders.",
        ]
      : [];
  const sorted = used.toSorted(
    (a, b) => Number(inUse.has(b.skill.name.toLowerCase())) - Number(inUse.has(a.skill.name.toLowerCase())),
  );
  return [...none, ...sorted.flatMap(line), ...unused.map(({ problem }) => problem)].join("\n");
}
