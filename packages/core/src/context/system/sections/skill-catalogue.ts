import { clipText, nameInWords, shownName } from "@harness/protocol";
import type { SkillView } from "../../../ports/skills.ts";
import { fairShares } from "../../shrinking/fair-shares.ts";
import type { SystemSection } from "../system-section.ts";

const HEADING = "Skills: instructions for kinds of tasks. Load one with `skill` before such a task.";
const SHORT_HEADING = "Skills (load with `skill`):";
const NAMES_HEADING = "Skills (`skill` loads one, or lists what they are for):";
/** Its label in the list of a request's parts. */
export const SKILL_CATALOGUE = "skill catalogue";
/** A shorter excerpt of a description says nothing. */
const MIN_DESCRIPTION = 24;

/** Lists the loadable skills for agents that can load them; empty if there are none. */
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

/**
 * Descriptions within the room: short ones in full, the others cut to equal length. If that would say nothing, it lists
 * as many names as fit, counts the rest, and says that the tool has the descriptions.
 */
export function catalogueText(
  skills: readonly SkillView[],
  { chars, isBrief }: { chars: number; isBrief: boolean },
): string {
  if (skills.length === 0) return "";
  const heading = isBrief ? SHORT_HEADING : HEADING;
  const names = skills.reduce((sum, { name }) => sum + name.length + "\n- : ".length, 0);
  const lengths = skills.map(({ description }) => description.length);
  const shares = fairShares(lengths, chars - heading.length - names);
  const cutTo = shares.filter((share, at) => share < (lengths[at] ?? 0));
  const most = cutTo.length === 0 ? Number.POSITIVE_INFINITY : Math.min(...cutTo);
  if (most < MIN_DESCRIPTION) return namesText(skills, chars);
  const lines = skills.map(
    ({ name, description }) => `- ${nameInWords(name)}: ${shownName(clipText(description, most))}`,
  );
  return [heading, ...lines].join("\n");
}

function namesText(skills: readonly SkillView[], chars: number): string {
  let room = chars - NAMES_HEADING.length - ", and 0000 more, which it lists".length;
  const shown: string[] = [];
  for (const { name } of skills) {
    room -= name.length + 2;
    if (room < 0) break;
    shown.push(nameInWords(name));
  }
  const left = skills.length - shown.length;
  const more = left === 0 ? [] : [shown.length === 0 ? `${left}, which it lists` : `and ${left} more, which it lists`];
  return `${NAMES_HEADING} ${[...shown, ...more].join(", ")}`;
}
