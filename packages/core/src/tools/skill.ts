import type { ActiveSkill } from "@harness/protocol";
import * as z from "zod";
import type { SkillSource } from "../ports/skills.ts";
import { defineTool, type Tool, type ToolAlias, type ToolContext, type ToolResult } from "../ports/tool.ts";
import { renamed } from "./argument-names.ts";
import { titleLine } from "./title-line.ts";

export const SKILL = "skill";

const args = z.strictObject({
  name: z.string().trim().optional().describe("Without: lists them."),
  args: z.string().optional().describe("What to use it for."),
});

/** Loads the text of a skill; `loaded`: records that the agent uses it from now on. */
export function skill<C extends ToolContext>(
  skills: SkillSource,
  loaded: (skill: ActiveSkill, context: C) => void,
): Tool {
  return defineTool({
    name: SKILL,
    description: "Loads a skill: instructions for a kind of task, before you start it.",
    brief: "Loads instructions for a kind of task.",
    rareArgs: ["args"],
    args,
    category: "readOnly",
    effects: () => [],
    title: ({ name }) => (name ? `${SKILL} ${titleLine(name)}` : SKILL),
    async run({ name, args: wanted }, context: C): Promise<ToolResult> {
      if (name === undefined || name === "") return answer("ok", listText(skills), "Listed the skills");
      const found = skills.load(name, wanted?.trim() ?? "");
      if ("problem" in found) return answer("error", found.problem, found.problem);
      loaded(found.skill, context);
      return answer("ok", found.skill.text, `Loaded ${found.skill.path}`);
    },
  });
}

/** Names that other programs have for it, and its own name with their arguments. */
export const skillForms: readonly ToolAlias[] = ["skill", "Skill", "invoke_skill", "use_skill", "load_skill"].map(
  (name) => ({
    name,
    tool: SKILL,
    convert: (input) =>
      renamed(input, { name: ["skill", "skill_name", "skillName", "command"], args: ["arguments", "input"] }),
  }),
);

function answer(status: "ok" | "error", text: string, shown: string): ToolResult {
  return { status, text, blocks: [{ type: "text", text: shown }] };
}

function listText(skills: SkillSource): string {
  return skills
    .list()
    .map(({ name, description }) => `- ${name}: ${description}`)
    .join("\n");
}
