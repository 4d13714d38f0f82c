import type { UpdateOf } from "../vocabulary/updates.ts";
import { hideSkills, type SkillLists, type Skills, showSkills } from "./skill-lists.ts";
import { hideTodos, showTodos, type TodoLists, type Todos } from "./todo-lists.ts";
import type { TranscriptItem } from "./transcript-item.ts";
import type { UndoState } from "./undo-state.ts";

/** Items of an agent that a rewind has hidden, and their position in the transcript. */
export type HiddenItems = {
  at: number;
  items: TranscriptItem[];
  messages: UndoState["messages"];
  todoLists: TodoLists;
  skillLists: SkillLists;
};

/** The items that an agent shows, and those that are hidden. */
type Transcript = Todos &
  Skills & {
    items: TranscriptItem[];
    /** Indexes in `items` of tool calls and subagents. */
    positions: Map<string, number>;
    /** By rewind id. */
    hidden: Map<string, HiddenItems>;
  };

/** Hides the messages that a rewind leaves behind, or shows those hidden by the rewind that a redo reverts. */
export function hideOrShow(agent: Transcript, undo: UndoState, update: UpdateOf<"rewind_update">): void {
  const { rewindId, redoOf, fromSeq } = update;
  if (update.fromFiles) removeItems(agent, update.gone);
  else if (redoOf !== undefined) show(agent, undo, redoOf);
  else if (fromSeq !== undefined) hide(agent, undo, rewindId, fromSeq);
}

function hide(agent: Transcript, undo: UndoState, rewindId: string, fromSeq: number): void {
  const messages = undo.messages.filter(({ seq }) => seq >= fromSeq);
  const [first] = messages;
  const at = first ? agent.items.findIndex((item) => item.kind === "user" && item.id === first.messageId) : -1;
  if (at < 0) return;
  // The effects of a repeated message came before its last fact.
  const since = messages.reduce((earliest, each) => Math.min(earliest, each.since), fromSeq);
  agent.hidden.set(rewindId, {
    at,
    items: agent.items.splice(at),
    messages,
    todoLists: hideTodos(agent, since),
    skillLists: hideSkills(agent, since),
  });
  undo.messages = undo.messages.filter(({ seq }) => seq < fromSeq);
  updatePositions(agent);
}

function show(agent: Transcript, undo: UndoState, rewindId: string): void {
  const hidden = agent.hidden.get(rewindId);
  if (!hidden) return;
  agent.hidden.delete(rewindId);
  agent.items.splice(hidden.at, 0, ...hidden.items);
  showTodos(agent, hidden.todoLists);
  showSkills(agent, hidden.skillLists);
  undo.messages = [...undo.messages, ...hidden.messages].sort((a, b) => a.seq - b.seq);
  updatePositions(agent);
}

/** Messages whose files are gone. */
function removeItems(agent: Transcript, ids: readonly string[] = []): void {
  if (ids.length === 0) return;
  const gone = new Set(ids);
  const kept = agent.items.filter((item) => !isMessageItem(item) || !gone.has(item.id));
  agent.items.splice(0, agent.items.length, ...kept);
  updatePositions(agent);
}

/** Inserts an item after all that belongs to the message or call with this id. */
export function insertAfter(agent: Transcript, id: string | undefined, item: TranscriptItem): void {
  const before = id === undefined ? -1 : agent.items.findIndex((each) => isMessageItem(each) && each.id === id);
  const isKnown = id === undefined || before >= 0;
  const next = isKnown ? agent.items.findIndex((each, index) => index > before && isMessageItem(each)) : -1;
  agent.items.splice(next < 0 ? agent.items.length : next, 0, item);
  updatePositions(agent);
}

/** True if it is a message of the conversation, or a call. */
export function isMessageItem({ kind }: TranscriptItem): boolean {
  return kind === "user" || kind === "agent" || kind === "tool";
}

function updatePositions(agent: Transcript): void {
  agent.positions.clear();
  for (const [index, item] of agent.items.entries()) {
    if (item.kind === "tool" || item.kind === "subagent") agent.positions.set(item.id, index);
  }
}
