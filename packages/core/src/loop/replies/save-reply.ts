import { type AgentPart, type Failure, type ToolCallPart, textOf } from "@harness/protocol";
import { compactAgent, shrinkAgent } from "../compaction/compact-agent.ts";
import type { Repair, Reply, StageValue } from "../stages/stage.ts";
import { hasMessages } from "../turn/take-inbox.ts";
import type { Turn } from "../turn/turn.ts";
import { nameCalls } from "./call-names.ts";
import { keepCut, recordReply, stopTruncated } from "./record-reply.ts";
import { soundParts } from "./sound-parts.ts";

const DONE: StageValue = { nextState: "done" };
const AGAIN: StageValue = { nextState: "assemble" };

/** receive/10-save: the reply becomes a fact, and what it holds says where the turn goes. */
export async function saveReply(value: StageValue, turn: Turn): Promise<StageValue> {
  const { reply } = value;
  if (!reply) return DONE;
  if (turn.signal.aborted) {
    keepCut(turn, reply);
    return DONE;
  }
  if (reply.failure) return await takeFailure(reply, reply.failure, turn);
  if (reply.stop === "cut") {
    return await takeFailure(reply, { kind: "network", message: "The model's answer was cut off." }, turn);
  }
  const ports = turn.scope.ports;
  const sound = soundParts(reply.parts);
  const { parts, repairs } = nameCalls(sound.parts, turn.scope.journal.callIds, () => ports.runtime.ids.next("call"));
  const named: Reply = { ...reply, parts, repairs: [...renamed(reply, parts), ...repairs] };
  const calls = parts.filter((part): part is ToolCallPart => part.type === "tool_call");
  const text = textOf(parts);
  if (calls.length === 0 && text.trim() === "" && reply.stop !== "refusal") return takeEmpty(named, turn);
  const cut = recordReply(turn, named);
  if (cut) return stopTruncated(turn, calls, cut);
  turn.emptyReplies = 0;
  turn.shortened = false;
  turn.output = text;
  if (calls.length > 0) {
    const tooDeep = parts.flatMap((part, index) =>
      part.type === "tool_call" && sound.tooDeep.has(index) ? [part.toolCallId] : [],
    );
    const next: StageValue = { reply: named, toolCalls: calls, nextState: "tool_exec" };
    return tooDeep.length > 0 ? { ...next, tooDeep } : next;
  }
  return await endOfWords(reply, turn);
}

/** The provider's repairs, told of the calls by the ids that these have now. */
function renamed({ parts: sent, repairs = [] }: Reply, parts: readonly AgentPart[]): Repair[] {
  return repairs.map((repair) => {
    const index = sent.findIndex((part) => part.type === "tool_call" && part.toolCallId === repair.toolCallId);
    const part = parts[index];
    return part?.type === "tool_call" ? { ...repair, toolCallId: part.toolCallId } : repair;
  });
}

/** No calls: the turn is over, unless somebody has sent or will send something. */
async function endOfWords(reply: Reply, turn: Turn): Promise<StageValue> {
  if (reply.stop === "length") {
    // The end of the turn says it, in the words of each front.
    turn.end = { stopReason: "max_tokens" };
  } else turn.end = { stopReason: reply.stop === "refusal" ? "refusal" : "end_turn" };
  if (hasMessages(turn)) return AGAIN;
  if (turn.children.size === 0) return { ...DONE, output: turn.output };
  turn.record({ sessionUpdate: "state_update", state: "waiting" });
  while (!hasMessages(turn) && turn.children.size > 0 && !turn.signal.aborted) {
    await turn.agent.inbox.arrival(turn.signal);
  }
  if (turn.signal.aborted) return DONE;
  turn.record({ sessionUpdate: "state_update", state: "running" });
  return AGAIN;
}

function takeEmpty(reply: Reply, turn: Turn): StageValue {
  turn.emptyReplies += 1;
  const cut = recordReply(turn, reply);
  if (cut) return stopTruncated(turn, [], cut);
  if (turn.emptyReplies === 1 && reply.stop === "end") return AGAIN;
  const limit = reply.stop === "length";
  turn.notice(
    "warning",
    limit
      ? "The model used up its limit of output before it said anything."
      : "The model answered with nothing, twice.",
    "Send a message to try again, or choose another model.",
  );
  turn.end = { stopReason: limit ? "max_tokens" : "end_turn" };
  return DONE;
}

async function takeFailure(reply: Reply, failure: Failure, turn: Turn): Promise<StageValue> {
  keepCut(turn, reply);
  if (failure.kind === "overflow" && !turn.shortened && (await shorten(turn, reply.messageId))) return AGAIN;
  if (turn.signal.aborted) return DONE;
  if (failure.kind === "overflow") {
    turn.agent.ledger.expect("what was too long was left out", "messages");
    const advice = "Start a new session, or choose a model with a larger window.";
    turn.notice("error", "The conversation does not fit into the model's window.", advice);
  }
  return { nextState: "error", error: failure };
}

/** The provider says that the request was too long: shorten the conversation, once. */
async function shorten(turn: Turn, messageId: string): Promise<boolean> {
  const { scope, agent, signal, choice } = turn;
  if (!choice) return false;
  turn.shortened = true;
  turn.delta({ sessionUpdate: "request_status", messageId, phase: "ended" });
  const compacted = await compactAgent(scope, agent, choice, { reason: "overflow", signal, turn });
  if (!("problem" in compacted)) return true;
  if (signal.aborted) return false;
  return shrinkAgent(agent);
}
