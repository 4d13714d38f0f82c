import type { UpdateOf } from "../vocabulary/updates.ts";
import type { TranscriptItem } from "./transcript.ts";
import type { UndoState } from "./undo-state.ts";

/** Items that a rewind has taken out of a transcript, and where they stood. */
export type SetAside = { at: number; items: TranscriptItem[]; messages: UndoState["messages"] };

/** What an agent shows, and what was taken out of it. */
type Transcript = {
  items: TranscriptItem[];
  /** Where tool calls and subagents stand in `items`. */
  positions: Map<string, number>;
  /** By the id of the rewind. */
  setAside: Map<string, SetAside>;
};

/** Takes the messages that a rewind sets aside out of the transcript, or those of a redo back in. */
export function setAside(agent: Transcript, undo: UndoState, update: UpdateOf<"rewind_update">): void {
  const { rewindId, redoOf, fromSeq } = update;
  if (redoOf !== undefined) bringBack(agent, undo, redoOf);
  if (redoOf !== undefined || fromSeq === undefined) return;
  const messages = undo.messages.filter(({ seq }) => seq >= fromSeq);
  const [first] = messages;
  const at = first ? agent.items.findIndex((item) => item.kind === "user" && item.id === first.messageId) : -1;
  if (at < 0) return;
  agent.setAside.set(rewindId, { at, items: agent.items.splice(at), messages });
  undo.messages = undo.messages.filter(({ seq }) => seq < fromSeq);
  place(agent);
}

function bringBack(agent: Transcript, undo: UndoState, rewindId: string): void {
  const aside = agent.setAside.get(rewindId);
  if (!aside) return;
  agent.setAside.delete(rewindId);
  agent.items.splice(aside.at, 0, ...aside.items);
  undo.messages = [...undo.messages, ...aside.messages].sort((a, b) => a.seq - b.seq);
  place(agent);
}

/** Items stand elsewhere now. */
function place(agent: Transcript): void {
  agent.positions.clear();
  for (const [index, item] of agent.items.entries()) {
    if (item.kind === "tool" || item.kind === "subagent") agent.positions.set(item.id, index);
  }
}
