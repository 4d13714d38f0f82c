import { randomBytes } from "node:crypto";
import type { Fact, UpdateOf } from "@harness/protocol";
import { emptyTalk, nextMessages, type TalkState } from "./next-messages.ts";
import type { SavedMessage } from "./saved-message.ts";

type MessageFact = UpdateOf<"user_message"> | UpdateOf<"agent_message"> | UpdateOf<"tool_call_update">;

/** A message from a file, as a fact. */
export type FactOfMessage<F> = {
  update: MessageFact;
  /** The file of the message; for a result that is missing, the last file before it. */
  message: SavedMessage;
  from: F;
  isMissingResult: boolean;
};

const NO_RESULT = "The result of this call is not in the files of the session.";

/** The messages of files as facts. Every call gets a result, and a result of no call is left out. */
export function factsOfMessages<F>(
  files: Iterable<{ message: SavedMessage; from: F }>,
  start: TalkState = emptyTalk,
): FactOfMessage<F>[] {
  const facts: FactOfMessage<F>[] = [];
  let state = start;
  let last: F | undefined;
  const add = (message: SavedMessage, from: F, isMissingResult = false) => {
    const update = factOf(message);
    state = nextMessages(state, update).state;
    facts.push({ update, message, from, isMissingResult });
  };
  const close = () => {
    if (last === undefined) return;
    for (const [callId, tool] of state.open) {
      add({ role: "tool_result", callId, tool, text: NO_RESULT, images: [], status: "interrupted" }, last, true);
    }
  };
  for (const { message, from } of files) {
    if (message.role === "tool_result" && !state.open.has(message.callId)) continue;
    // A message that the person has sent meanwhile may come between a call and its result, another reply may not.
    if (message.role === "assistant") close();
    add(message, from);
    last = from;
  }
  close();
  return facts;
}

function factOf(message: SavedMessage): MessageFact {
  const messageId = `file-${randomBytes(6).toString("hex")}`;
  switch (message.role) {
    case "user": {
      const { role: _role, attached, ...rest } = message;
      return { sessionUpdate: "user_message", messageId, ...rest, ...(attached.length > 0 ? { attached } : {}) };
    }
    case "assistant": {
      const { role: _role, stop, ...rest } = message;
      return { sessionUpdate: "agent_message", messageId, ...rest, stop: stop === "error" ? "end" : stop };
    }
    case "tool_result": {
      const { callId: toolCallId, tool: name, text, images, status } = message;
      const outcome = { status, text, blocks: [], durationMs: 0, ...(images.length > 0 ? { images } : {}) };
      const ended = status === "ok" ? "completed" : "failed";
      return { sessionUpdate: "tool_call_update", toolCallId, status: ended, name, outcome };
    }
  }
}

/** The fact of a message that stands for an earlier one, whose fact is `own`. */
export function standingFact(
  update: MessageFact,
  own: Fact | undefined,
  { isChanged }: { isChanged: boolean },
): MessageFact {
  if (own?.sessionUpdate === "user_message" && update.sessionUpdate === "user_message") {
    const { messageId, files, texts } = own;
    return isChanged ? { ...update, messageId, ...(files && { files }), ...(texts && { texts }) } : own;
  }
  if (own?.sessionUpdate === "agent_message" && update.sessionUpdate === "agent_message") {
    // It costs nothing again. Of a reply that was cut short, the file has what counts.
    const { usage: _usage, cost: _cost, prefix: _prefix, ...rest } = own;
    const { usage: _said, ...said } = update;
    return isChanged || own.stop === "cut" ? { ...said, messageId: own.messageId } : rest;
  }
  if (own?.sessionUpdate !== "tool_call_update" || update.sessionUpdate !== "tool_call_update") return update;
  const { outcome, usage: _usage, cost: _cost, ...rest } = own;
  const name = update.name ?? own.name ?? "";
  if (!isChanged || !update.outcome || !outcome) return { ...rest, name, ...(outcome && { outcome }) };
  // The files that it has read or changed stay so.
  const { files, durationMs } = outcome;
  return { ...update, outcome: { ...update.outcome, durationMs, ...(files && { files }) } };
}
