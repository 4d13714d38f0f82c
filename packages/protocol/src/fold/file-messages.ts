import type { FromFile } from "../vocabulary/facts/from-file.ts";
import type { Content } from "../vocabulary/message.ts";
import type { SessionUpdate, UpdateOf } from "../vocabulary/updates.ts";
import type { AgentState } from "./agent-state.ts";
import { insertAfter, isMessageItem } from "./hidden-items.ts";
import type { TranscriptItem } from "./transcript-item.ts";

type FileUpdate = UpdateOf<"user_message"> | UpdateOf<"agent_message"> | UpdateOf<"tool_call_update">;

/**
 * Shows a message that was read from its file: in its old place with its new words, or after the one that it follows. Nothing
 * was spent on it. Returns false for all other updates.
 */
export function applyFromFile(agent: AgentState, { update, at = "" }: Pick<SessionUpdate, "update" | "at">): boolean {
  if (!isFromFile(update)) return false;
  const id = update.sessionUpdate === "tool_call_update" ? update.toolCallId : update.messageId;
  const index = agent.items.findIndex((item) => isMessageItem(item) && item.id === id);
  const before = agent.items[index];
  if (update.sessionUpdate === "user_message" && update.origin === "harness") return true;
  // A front may have only the end of the session.
  if (!before) insertAfter(agent, update.fromFile.after, newItem(update, at));
  else if (update.fromFile.changed) agent.items[index] = changedItem(before, update);
  return true;
}

function isFromFile(update: SessionUpdate["update"]): update is FileUpdate & { fromFile: FromFile } {
  return "fromFile" in update && update.fromFile !== undefined;
}

function newItem(update: FileUpdate, at: string): TranscriptItem {
  switch (update.sessionUpdate) {
    case "user_message": {
      const { messageId: id, origin, fromAgentId } = update;
      return { kind: "user", id, content: shownContent(update), origin, ...(fromAgentId ? { fromAgentId } : {}), at };
    }
    case "agent_message": {
      const { messageId: id, parts, model } = update;
      return { kind: "agent", id, parts, cut: false, model, at };
    }
    case "tool_call_update": {
      const { toolCallId: id, name = "", status, outcome } = update;
      return { kind: "tool", id, name, title: name, status, ...(outcome ? { outcome } : {}), at };
    }
  }
}

function changedItem(before: TranscriptItem, update: FileUpdate): TranscriptItem {
  if (before.kind === "user" && update.sessionUpdate === "user_message")
    return { ...before, content: shownContent(update) };
  if (before.kind === "agent" && update.sessionUpdate === "agent_message") return { ...before, parts: update.parts };
  if (before.kind !== "tool" || update.sessionUpdate !== "tool_call_update") return before;
  const { status, outcome } = update;
  return { ...before, status, ...(outcome ? { outcome } : {}) };
}

/** An image that the message mentions is treated like one that was added to it; the text of files is not shown. */
export function shownContent({ content, attached = [] }: UpdateOf<"user_message">): Content[] {
  return [...content, ...attached.filter(({ type }) => type === "image")];
}
