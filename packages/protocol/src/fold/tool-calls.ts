import type { UpdateOf } from "../vocabulary/updates.ts";
import type { ToolItem, TranscriptItem } from "./transcript-item.ts";

/** Calls that run while their reply still streams, by id. They join the transcript after the reply. */
export type EarlyCalls = { messageId: string; items: Map<string, ToolItem> };

type Transcript = {
  items: TranscriptItem[];
  positions: Map<string, number>;
  output: Map<string, string>;
  early?: EarlyCalls;
};

export function addEarlyCall(agent: Transcript, messageId: string, item: ToolItem): void {
  if (agent.early?.messageId !== messageId) {
    showEarlyCalls(agent);
    agent.early = { messageId, items: new Map() };
  }
  agent.early.items.set(item.id, item);
}

/** The reply is in the transcript, or never will be. */
export function showEarlyCalls(agent: Transcript): void {
  for (const [id, item] of agent.early?.items ?? []) {
    agent.positions.set(id, agent.items.length);
    agent.items.push(item);
  }
  delete agent.early;
}

/** A call appears in the transcript, or changes. */
export function applyToolCall(agent: Transcript, update: UpdateOf<"tool_call_update">, at: string): void {
  const { toolCallId: id, status, outcome } = update;
  const position = agent.positions.get(id);
  const early = agent.early?.items;
  const before = position === undefined ? early?.get(id) : (agent.items[position] as ToolItem);
  const name = update.name ?? before?.name ?? "";
  const item: ToolItem = {
    kind: "tool",
    id,
    name,
    title: update.title ?? before?.title ?? name,
    status,
    ...(outcome ? { outcome } : {}),
    ...withEffects(update.effects ?? before?.effects),
    ...(update.byPerson || before?.byPerson ? { byPerson: true } : {}),
    ...(update.looks || before?.looks ? { looks: true } : {}),
    ...(update.changesNothing || before?.changesNothing ? { changesNothing: true } : {}),
    ...(before?.review ? { review: before.review } : {}),
    ...(before?.startedAgent ? { startedAgent: true } : {}),
    at: before?.at ?? at,
  };
  if (outcome) agent.output.delete(id);
  if (position === undefined && early?.has(id)) early.set(id, item);
  else if (position === undefined) {
    agent.positions.set(id, agent.items.length);
    agent.items.push(item);
  } else agent.items[position] = item;
}

function withEffects(effects: ToolItem["effects"]): Pick<ToolItem, "effects"> {
  return effects ? { effects } : {};
}

/** True if the call is the user's own command. */
export function isByPerson({ items, positions }: Transcript, toolCallId: string): boolean {
  const item = items[positions.get(toolCallId) ?? -1];
  return item?.kind === "tool" && item.byPerson === true;
}
