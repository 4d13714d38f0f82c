import { type ToolCallPart, textOf } from "@harness/protocol";
import { modelKey } from "../../context/model-key.ts";
import { costOf } from "../../context/tokens/cost-of.ts";
import { contextWindowAdvice } from "../../context/tokens/truncation.ts";
import type { TruncationVerdict } from "../../context/tokens/truncation-detector.ts";
import type { Reply, Transition } from "../stages/stage-value.ts";
import { recordRead } from "../turn/drain-inbox.ts";
import type { Turn } from "../turn/turn.ts";
import { sanitizeParts } from "./sanitize-parts.ts";

/** The server read only part of the request. */
export type CutPrompt = Extract<TruncationVerdict, { kind: "cut" }>;

/**
 * Records the reply with its cost and repairs, and counts its tokens. Returns the truncation of the request, if the
 * counts show one.
 */
export function recordReply(turn: Turn, reply: Reply): CutPrompt | undefined {
  const { choice } = turn;
  const { messageId, parts, stop, usage, prefix, thoughtMs, provider, model, repairs = [] } = reply;
  // A step may have asked a different model, whose price is unknown here.
  const cost = costOf(usage, model === choice?.model ? choice.price : undefined);
  turn.record({
    sessionUpdate: "agent_message",
    messageId,
    parts,
    stop,
    ...(usage ? { usage } : {}),
    cost,
    ...(prefix ? { prefix } : {}),
    ...(thoughtMs === undefined ? {} : { thoughtMs }),
    provider,
    model,
  });
  turn.replied(reply);
  turn.spend(usage, cost);
  if (stop !== "cut") recordRead(turn);
  for (const repair of repairs) turn.record({ sessionUpdate: "repair", messageId, ...repair });
  return countTokens(turn, reply);
}

/** If a request was not counted completely, the last count stands, plus an estimate for later additions. */
function countTokens(turn: Turn, { sent, usage, parts, provider, model }: Reply): CutPrompt | undefined {
  if (!sent) return undefined;
  const { agent, scope } = turn;
  const key = modelKey(provider, model);
  const countsPart = scope.requests.models.countsPartially(key);
  const verdict = agent.audit.take(sent.weight, { usage, parts, modelKey: key, countsPart });
  switch (verdict.kind) {
    case "uncounted":
      return undefined;
    case "part":
      warnOfPartialCount(turn, key, verdict.isCertain);
      return undefined;
    case "whole":
      agent.countedWhole(verdict.tokens, sent.chars);
      return undefined;
    case "cut":
      agent.countedPart(verdict.truncation);
      return verdict;
  }
}

function warnOfPartialCount(turn: Turn, key: string, isCertain: boolean): void {
  if (!turn.scope.requests.models.notePartialCount(key, { isCertain })) return;
  turn.notice(
    "info",
    "The server counts only what it had not read before.",
    "harness can only estimate how full the context window is, and would not notice if the server cut the conversation.",
  );
}

/**
 * Keeps the text and thinking of a cut reply for people, and only those of its calls that have started; counts its
 * costs.
 */
export function keepCut(turn: Turn, reply: Reply): void {
  const started = turn.calls?.started ?? [];
  if (reply.parts.length === 0 && started.length === 0 && !reply.usage && !reply.hasBegun) return;
  const textParts = sanitizeParts(reply.parts).parts.filter((part) => part.type !== "tool_call");
  const parts = [...textParts, ...started];
  const repairs = (reply.repairs ?? []).filter(({ toolCallId }) => toolCallId === undefined);
  recordReply(turn, { ...reply, parts, repairs, stop: "cut" });
  if (textParts.length > 0) turn.say(textOf(textParts));
}

const NOT_RUN =
  "not run: the server had read only a part of the conversation, so it is unknown what this call was based on.";

/** Answers the calls of a model that has not seen all of its conversation, and stops the turn. */
export function stopTruncated(turn: Turn, calls: readonly ToolCallPart[], cut: CutPrompt): Transition {
  for (const { toolCallId, name } of calls) {
    turn.record({
      sessionUpdate: "tool_call_update",
      toolCallId,
      status: "failed",
      name,
      title: name,
      outcome: { status: "error", text: NOT_RUN, blocks: [], durationMs: 0 },
    });
  }
  return { nextState: "error", error: { kind: "truncated", message: truncatedText(turn, cut) } };
}

function truncatedText({ choice }: Turn, { truncation, mostRead }: CutPrompt): string {
  const { sentTokens, readTokens } = truncation;
  const what = `The server read only a part of the conversation: about ${sentTokens} tokens were sent, and it counted ${readTokens}.`;
  return `${what} ${contextWindowAdvice(mostRead, choice?.contextWindow.tokens ?? 0, choice?.contextWindowAdvice)}`;
}
