import type { ActiveSkill } from "@harness/protocol";
import type { SystemPiece, SystemSection } from "../system-section.ts";

/** Together, by the size of the context window. */
const MAX_CHARS = { small: 3_000, medium: 12_000, large: 40_000, ample: 40_000 } as const;
/** Less of a skill is of no use. */
const MIN_SHOWN = 500;

/**
 * The skills that an agent works with, as far as its messages do not have them: they are given with a message, so that what
 * servers have cached stays valid, and come here when the system text is written again after a compaction.
 */
export const activeSkills: SystemSection = {
  name: "skills",
  room: ({ size }) => MAX_CHARS[size],
  async read({ state }) {
    return {
      write({ chars, agent }) {
        const active = state().agents.get(agent.agentId)?.skills ?? [];
        return fitting(
          active.filter(({ text }) => !agent.hasInView(text)),
          chars,
        );
      },
    };
  },
};

/** The last ones first, as there may be no room for all; returned in the order in which they became active. */
function fitting(skills: readonly ActiveSkill[], chars: number): SystemPiece[] {
  let room = chars;
  const pieces: SystemPiece[] = [];
  for (const { name, path, text } of skills.toReversed()) {
    const isWhole = text.length <= room;
    if (!isWhole && room < MIN_SHOWN) {
      pieces.unshift({ name: path, text: `Skill ${name} is in use: read ${path}.` });
      continue;
    }
    const note = `\n[… the rest is left out for lack of room: read ${path}]`;
    pieces.unshift({ name: path, text: isWhole ? text : `${text.slice(0, room - note.length).toWellFormed()}${note}` });
    room -= Math.min(room, text.length);
  }
  return pieces;
}
