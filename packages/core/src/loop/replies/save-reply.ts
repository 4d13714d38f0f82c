import { type AgentPart, type Failure, type ToolCallPart, textOf } from "@harness/protocol";
import { halveUnanswered } from "../budget/fit-unanswered.ts";
import { forceShrink } from "../budget/shrink-results.ts";
import { compactAgent } from "../compaction/compact-agent.ts";
import { reviewAtEnd } from "../review/review-edits.ts";
import {
  EMPTY_DRAFT,
  type Repair,
  type Reply,
  type StageState,
  type Transition,
  type TurnEnd,
} from "../stages/stage-value.ts";
import { hasMessages } from "../turn/drain-inbox.ts";
import type { Turn } from "../turn/turn.ts";
import { waitForMessages } from "../turn/wait-for-messages.ts";
import { nameCalls } from "./call-names.ts";
import { keepCut, recordReply, stopTruncated } from "./record-reply.ts";
import { sanitizeParts } from "./sanitize-parts.ts";

const AGAIN: Transition = { ...EMPTY_DRAFT, nextState: "assemble" };

/** receive/10-save: records the reply and decides from its parts where the turn goes. */
export async function saveReply(state: StageState<"receive">, turn: Turn): Promise<StageState<"receive">> {
  if (state.nextState) return state;
  const { reply } = state;
  if (turn.signal.aborted) {
    keepCut(turn, reply);
    await turn.calls?.settle();
    return turn.done({ stopReason: "cancelled" });
  }
  if (reply.failure) return await takeFailure(reply, reply.failure, turn);
  if (reply.stop === "cut") {
    return await takeFailure(reply, { kind: "network", message: "The model's reply was cut off." }, turn);
  }
  return await takeWhole(reply, turn);
}

async function takeWhole(reply: Reply, turn: Turn): Promise<Transition> {
  const { ids } = turn.runtime;
  const sound = sanitizeParts(reply.parts);
  const { callIds } = turn.scope.journal;
  const started = turn.calls?.started ?? [];
  const naming = nameCalls(
    sound.parts,
    callIds,
    () => ids.next("call"),
    (sentId) => turn.calls?.named(sentId),
  );
  // A call that has started is a call of this reply, whatever became of it on the way.
  const parts = [...naming.parts, ...started.filter((call) => !hasCall(naming.parts, call))];
  const named: Reply = { ...reply, parts, repairs: [...renamed(reply, parts), ...naming.repairs] };
  const calls = parts.filter((part): part is ToolCallPart => part.type === "tool_call");
  const text = textOf(parts);
  if (calls.length === 0 && text.trim() === "" && reply.stop !== "refusal") return takeEmpty(named, turn);
  const cut = recordReply(turn, named);
  if (cut) {
    const open = calls.filter((call) => !hasCall(started, call));
    await turn.calls?.settle();
    return stopTruncated(turn, open, cut);
  }
  turn.retries.reset();
  turn.say(text);
  if (calls.length === 0) return await afterLastReply(reply, turn);
  const tooDeep = parts.flatMap((part, index) =>
    part.type === "tool_call" && sound.tooDeep.has(index) ? [part.toolCallId] : [],
  );
  return { reply: named, toolCalls: calls, tooDeep, refused: {}, nextState: "tool_exec" };
}

function hasCall(parts: readonly AgentPart[], { toolCallId }: ToolCallPart): boolean {
  return parts.some((part) => part.type === "tool_call" && part.toolCallId === toolCallId);
}

/** The repairs of the provider, with the present ids of the calls. */
function renamed({ parts: sent, repairs = [] }: Reply, parts: readonly AgentPart[]): Repair[] {
  const ids = new Map<string | undefined, string>();
  for (const [index, part] of sent.entries()) {
    const now = parts[index];
    if (part.type === "tool_call" && now?.type === "tool_call" && !ids.has(part.toolCallId)) {
      ids.set(part.toolCallId, now.toolCallId);
    }
  }
  return repairs.map((repair) => {
    const toolCallId = ids.get(repair.toolCallId);
    return toolCallId === undefined ? repair : { ...repair, toolCallId };
  });
}

/** A reply without calls ends the turn, unless messages or subagents are pending. */
async function afterLastReply(reply: Reply, turn: Turn): Promise<Transition> {
  if (hasMessages(turn)) return AGAIN;
  if (turn.agent.awaited.length === 0) {
    const said = await reviewAtEnd(turn);
    if (turn.signal.aborted) return turn.done({ stopReason: "cancelled" });
    if (said === undefined) return turn.done({ stopReason: stopReasonOf(reply) });
    const messageId = turn.runtime.ids.next("message");
    turn.record({
      sessionUpdate: "user_message",
      messageId,
      content: [{ type: "text", text: said }],
      origin: "harness",
    });
    return AGAIN;
  }
  await waitForMessages(turn);
  return turn.signal.aborted ? turn.done({ stopReason: "cancelled" }) : AGAIN;
}

/** Each front words the end at the limit of output itself. */
function stopReasonOf({ stop }: Reply): TurnEnd["stopReason"] {
  if (stop === "length") return "max_tokens";
  return stop === "refusal" ? "refusal" : "end_turn";
}

function takeEmpty(reply: Reply, turn: Turn): Transition {
  const mayRetry = turn.retries.afterEmptyReply();
  const cut = recordReply(turn, reply);
  if (cut) return stopTruncated(turn, [], cut);
  if (mayRetry && reply.stop === "end") return AGAIN;
  const advice = "Send a message to try again, or choose another model.";
  if (reply.stop !== "length") {
    // Nobody may take it for an answer: a script, or the agent that waits for this one.
    return { nextState: "error", error: { kind: "empty", message: `The model answered nothing, twice. ${advice}` } };
  }
  turn.notice("warning", "The model reached its output limit before it said anything.", advice);
  return turn.done({ stopReason: "max_tokens" });
}

async function takeFailure(reply: Reply, failure: Failure, turn: Turn): Promise<Transition> {
  keepCut(turn, reply);
  const toolCalls = [...(turn.calls?.started ?? [])];
  await turn.calls?.settle();
  // The provider would have asked again; the model is shown instead what its calls have done.
  if (reply.mayGoOn && toolCalls.length > 0 && !turn.signal.aborted) {
    return { reply, toolCalls, tooDeep: [], refused: {}, nextState: "tool_exec" };
  }
  if (failure.kind === "overflow" && (await shorten(turn, reply.messageId))) return AGAIN;
  if (turn.signal.aborted) return turn.done({ stopReason: "cancelled" });
  if (failure.kind === "overflow") {
    turn.agent.ledger.expect("what was too long was left out", "messages");
    const advice = "Start a new session, or choose a model with a larger context window.";
    turn.notice("error", "The conversation does not fit into the model's context window.", advice);
  }
  return { nextState: "error", error: failure };
}

/** Shortens the conversation once, after the provider has refused a request as too long. */
async function shorten(turn: Turn, messageId: string): Promise<boolean> {
  const { scope, agent, signal, choice } = turn;
  if (!choice || !turn.retries.afterOverflow()) return false;
  turn.delta({ sessionUpdate: "request_status", messageId, phase: "ended" });
  const compacted = await compactAgent(scope, agent, choice, { reason: "overflow", signal, turn, mayTruncate: true });
  if (!("problem" in compacted)) return true;
  if (signal.aborted) return false;
  const order = { scope, agent, contextWindow: choice.contextWindow.tokens, turnId: turn.turnId };
  return forceShrink(order, "overflow") || halveUnanswered(order);
}
