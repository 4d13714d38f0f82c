import type { ActiveSkill } from "@harness/protocol";
import type { SystemPiece, SystemSection } from "../system-section.ts";

/** The limit for all of them, by the size of the context window. */
const MAX_CHARS = { small: 3_000, medium: 12_000, large: 40_000, ample: 40_000 } as const;
/** A shorter excerpt of a skill is useless. */
const MIN_SHOWN = 500;

/**
 * The active skills of an agent whose text its messages lack. A skill is normally sent with a message, so that the
 * server's cache stays valid; it moves here when a compaction rewrites the system text.
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

/** Latest first, as not all may fit; returned in the order of activation. */
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
