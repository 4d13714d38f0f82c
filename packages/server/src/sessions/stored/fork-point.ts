import { type FactPages, factsOf } from "@harness/core";
import { type Content, protocolError, ROOT_AGENT } from "@harness/protocol";

/** The most facts of a turn before its first message. */
const MAX_BEFORE_MESSAGE = 50;

/** The last fact that a fork shares with its parent, and the message after it, to be written anew. */
export type ForkPoint = { seq: number; prompt?: Content[] };

/** The first fact of the turn that a message begins; for a message within a turn, its own number. */
function turnStart(parent: FactPages, seq: number, turnId: string | undefined): number {
  let start = seq;
  for (const fact of parent.read({ before: seq, limit: MAX_BEFORE_MESSAGE }).facts.reverse()) {
    const isMessage = ["user_message", "agent_message", "tool_call_update"].includes(fact.update.sessionUpdate);
    if (fact.turnId !== turnId || isMessage) break;
    start = fact.seq;
  }
  return start;
}

/**
 * If a message was repeated after a change of message files, its last fact counts. Throws `not_found` if there is no
 * such message.
 */
export function forkPoint(parent: FactPages, messageId: string | undefined): ForkPoint {
  if (messageId === undefined)
    return { seq: parent.read({ before: Number.POSITIVE_INFINITY, limit: 1 }).facts.at(-1)?.seq ?? 0 };
  let point: ForkPoint | undefined;
  for (const { seq, agentId, turnId, update } of factsOf(parent, { kinds: ["user_message", "agent_message"] })) {
    if (agentId !== ROOT_AGENT || !("messageId" in update) || update.messageId !== messageId) continue;
    if (update.sessionUpdate === "agent_message") point = { seq };
    if (update.sessionUpdate !== "user_message" || update.origin !== "user") continue;
    // Messages read from files begin no turn.
    const start = update.fromFile ? seq : turnStart(parent, seq, turnId);
    point = { seq: start - 1, prompt: update.content };
  }
  if (point) return point;
  throw protocolError("not_found", `There is no message ${messageId} in this session to fork from.`, {
    what: "message",
    id: messageId,
  });
}

/** The checkpoint with the files at that point; undefined if they have not changed since. */
export function filesAt(parent: FactPages, { seq }: ForkPoint): string | undefined {
  for (const { update } of factsOf(parent, { kinds: ["checkpoint"], after: seq }))
    if (update.sessionUpdate === "checkpoint") return update.checkpointId;
  return undefined;
}
