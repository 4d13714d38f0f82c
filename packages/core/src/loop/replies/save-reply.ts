import { type AgentPart, type Failure, type ToolCallPart, textOf } from "@harness/protocol";
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
import { fallBack } from "./fall-back.ts";
import { keepCut, recordReply, stopTruncated } from "./record-reply.ts";
import { sanitizeParts } from "./sanitize-parts.ts";
import { shortenRefused } from "./shorten-refused.ts";

/** Servers stop a little before the end of the window, or count differently. */
const FULL_SHARE = 0.97;

const AGAIN: Transition = { ...EMPTY_DRAFT, nextState: "assemble" };

/** receive/10-save: records the reply and decides from its parts how the turn continues. */
export async function saveReply(state: StageState<"receive">, turn: Turn): Promise<StageState<"receive">> {
  if (state.nextState) return state;
  const { reply } = state;
  if (turn.signal.aborted) {
    keepCut(turn, reply);
    await turn.calls?.settle();
    return turn.done({ stopReason: "cancelled" });
  }
  if (reply.repeats) return await takeEndless(reply, turn);
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
  // A call that has started belongs to this reply, whatever later steps did to it.
  const parts = [...naming.parts, ...started.filter((call) => !hasCall(naming.parts, call))];
  const named: Reply = { ...reply, parts, repairs: [...renamed(reply, parts), ...naming.repairs] };
  const calls = parts.filter((part): part is ToolCallPart => part.type === "tool_call");
  const text = textOf(parts);
  if (started.length === 0 && (await hasMoreRoom(reply, turn))) return AGAIN;
  if (calls.length === 0 && text.trim() === "" && reply.stop !== "refusal") return takeEmpty(named, turn);
  const cut = recordReply(turn, named);
  if (cut) {
    const open = calls.filter((call) => !hasCall(started, call));
    await turn.calls?.settle();
    return stopTruncated(turn, open, cut);
  }
  turn.retries.reset();
  turn.say(text);
  if (calls.length === 0) {
    if (reply.oddEnd !== undefined) turn.notice("warning", oddEndText(reply.oddEnd));
    return await afterLastReply(reply, turn);
  }
  const tooDeep = parts.flatMap((part, index) =>
    part.type === "tool_call" && sound.tooDeep.has(index) ? [part.toolCallId] : [],
  );
  return { reply: named, toolCalls: calls, tooDeep, refused: {}, nextState: "tool_exec" };
}

/**
 * If a reply ended because the context window was full, whatever the server calls it, it is requested once more after
 * the conversation was shortened, and kept for people only. Returns false if it stays as it is.
 */
async function hasMoreRoom(reply: Reply, turn: Turn): Promise<boolean> {
  const contextWindow = turn.choice?.contextWindow.tokens;
  const { inputTokens = turn.agent.usedTokens, outputTokens = 0 } = reply.usage ?? {};
  if (reply.stop !== "length" || contextWindow === undefined || outputTokens === 0) return false;
  const share = (inputTokens + outputTokens) / contextWindow;
  // Far above that, the assumed window is wrong.
  if (share < FULL_SHARE || share > 2 - FULL_SHARE || !turn.retries.afterFullWindow()) return false;
  if (!(await shortenRefused(turn, reply.messageId, { isFirst: true }))) return false;
  const { sent: _counted, ...kept } = reply;
  keepCut(turn, kept);
  return true;
}

function hasCall(parts: readonly AgentPart[], { toolCallId }: ToolCallPart): boolean {
  return parts.some((part) => part.type === "tool_call" && part.toolCallId === toolCallId);
}

/** Part of an answer may look like a complete one. */
function oddEndText(word: string): string {
  const short = JSON.stringify(word.slice(0, 60).toWellFormed());
  return `The model's server ended the reply with ${short}, which harness does not know: the answer may be incomplete.`;
}

/** The provider's repairs, with the current ids of the calls. */
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
    const reviewText = await reviewAtEnd(turn);
    if (turn.signal.aborted) return turn.done({ stopReason: "cancelled" });
    if (reviewText === undefined) return turn.done({ stopReason: stopReasonOf(reply) });
    sayToModel(turn, reviewText);
    return AGAIN;
  }
  return await afterMessages(turn);
}

async function afterMessages(turn: Turn): Promise<Transition> {
  await waitForMessages(turn);
  return turn.signal.aborted ? turn.done({ stopReason: "cancelled" }) : AGAIN;
}

/** Each front has its own words for the output limit. */
function stopReasonOf({ stop }: Reply): TurnEnd["stopReason"] {
  if (stop === "length") return "max_tokens";
  return stop === "refusal" ? "refusal" : "end_turn";
}

async function takeEmpty(reply: Reply, turn: Turn): Promise<Transition> {
  const mayRetry = turn.retries.afterEmptyReply();
  const cut = recordReply(turn, reply);
  if (cut) return stopTruncated(turn, [], cut);
  if (mayRetry && reply.stop === "end") return AGAIN;
  // Reports of its subagents may give it something to say.
  if (hasMessages(turn)) return AGAIN;
  if (turn.agent.awaited.length > 0) return await afterMessages(turn);
  const advice = "Send a message to try again, or choose another model.";
  if (reply.stop !== "length") {
    // Otherwise a script, or the agent that waits for this one, would take it for an answer.
    return { nextState: "error", error: { kind: "empty", message: `The model answered nothing, twice. ${advice}` } };
  }
  turn.notice("warning", "The model reached its output limit before it said anything.", advice);
  return turn.done({ stopReason: "max_tokens" });
}

const DO_NOT_REPEAT =
  "Your last reply repeated the same text without end, so it was stopped and left out. Answer without repeating yourself, or take the next step.";

/** A reply that repeats itself is kept for people only; the model gets one note about it. */
async function takeEndless(reply: Reply, turn: Turn): Promise<Transition> {
  keepCut(turn, reply);
  const toolCalls = [...(turn.calls?.started ?? [])];
  await turn.calls?.settle();
  if (turn.signal.aborted) return turn.done({ stopReason: "cancelled" });
  if (toolCalls.length > 0) return { reply, toolCalls, tooDeep: [], refused: {}, nextState: "tool_exec" };
  if (turn.retries.afterEndlessReply()) {
    sayToModel(turn, DO_NOT_REPEAT);
    return AGAIN;
  }
  turn.notice("warning", "Stopped: the model repeated itself without end, twice.");
  return turn.done({ stopReason: "loop" });
}

function sayToModel(turn: Turn, text: string): void {
  const messageId = turn.runtime.ids.next("message");
  turn.record({ sessionUpdate: "user_message", messageId, content: [{ type: "text", text }], origin: "harness" });
}

async function takeFailure(reply: Reply, failure: Failure, turn: Turn): Promise<Transition> {
  keepCut(turn, reply);
  const toolCalls = [...(turn.calls?.started ?? [])];
  await turn.calls?.settle();
  // The provider would have retried; instead the model sees the results of its calls.
  if (reply.mayGoOn && toolCalls.length > 0 && !turn.signal.aborted) {
    return { reply, toolCalls, tooDeep: [], refused: {}, nextState: "tool_exec" };
  }
  const before = failure.kind === "overflow" ? turn.retries.afterOverflow() : undefined;
  if (before !== undefined && (await shortenRefused(turn, reply.messageId, { isFirst: before === 0 }))) return AGAIN;
  if (turn.signal.aborted) return turn.done({ stopReason: "cancelled" });
  if (await fallBack(failure, turn)) return AGAIN;
  if (failure.kind === "overflow") {
    turn.agent.ledger.expect("what was too long was left out", "messages");
    const advice = "Start a new session, or choose a model with a larger context window.";
    turn.notice("error", "The conversation does not fit into the model's context window.", advice);
  }
  return { nextState: "error", error: failure };
}
