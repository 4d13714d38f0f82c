import { nameInWords, shownName } from "@harness/protocol";
import type { SkillView } from "../../../ports/skills.ts";
import type { SystemSection } from "../system-section.ts";

const HEADING = "Skills: instructions for kinds of tasks. Load one with `skill` before such a task.";
const SHORT_HEADING = "Skills (load with `skill`):";
/** What people see it called in the parts of a request. */
export const SKILL_CATALOGUE = "skill catalogue";
/** A shorter beginning of a description says nothing. */
const MIN_DESCRIPTION = 24;

/** Names what can be loaded, for agents that can: nothing where there is nothing. */
export const skillCatalogue: SystemSection = {
  name: "skills",
  room: ({ maxSkillChars }) => maxSkillChars,
  async read({ requests }) {
    return {
      write({ chars, budget, agent }) {
        const skills = agent.loadsSkills ? requests.skills.list() : [];
        const text = catalogueText(skills, { chars, isBrief: budget.size === "small" });
        return text === "" ? [] : [{ name: SKILL_CATALOGUE, text }];
      },
    };
  },
};

/** Descriptions as far as there is room, each with the same share; else names, as many as fit, and a count of the others. */
export function catalogueText(
  skills: readonly SkillView[],
  { chars, isBrief }: { chars: number; isBrief: boolean },
): string {
  if (skills.length === 0) return "";
  const names = skills.reduce((sum, { name }) => sum + name.length + "- : \n".length, 0);
  const share = Math.floor((chars - HEADING.length - names) / skills.length);
  const isWhole = skills.every(({ description }) => description.length <= share);
  if (!isBrief && (isWhole || share >= MIN_DESCRIPTION)) {
    const lines = skills.map(
      ({ name, description }) => `- ${nameInWords(name)}: ${shownName(cut(description, share))}`,
    );
    return [HEADING, ...lines].join("\n");
  }
  return namesText(skills, chars);
}

function namesText(skills: readonly SkillView[], chars: number): string {
  let room = chars - SHORT_HEADING.length - ", and 0000 more, which it lists".length;
  const shown: string[] = [];
  for (const { name } of skills) {
    room -= name.length + 2;
    if (room < 0) break;
    shown.push(nameInWords(name));
  }
  const left = skills.length - shown.length;
  const more = left === 0 ? [] : [shown.length === 0 ? `${left}, which it lists` : `and ${left} more, which it lists`];
  return `${SHORT_HEADING} ${[...shown, ...more].join(", ")}`;
}

function cut(text: string, maxChars: number): string {
  return text.length <= maxChars ? text : `${text.slice(0, maxChars - 1).toWellFormed()}…`;
}
