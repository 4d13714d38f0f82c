import { type ToolCallPart, textOf } from "@harness/protocol";
import { costOf } from "../context/cost-of.ts";
import { type Truncation, tokensRead, truncationOf } from "../context/truncation.ts";
import type { Reply, StageValue } from "../stages/stage.ts";
import { soundParts } from "./sound-parts.ts";
import type { Turn } from "./turn.ts";

/**
 * Makes the reply a fact, with what it cost and what was mended in it, and counts its tokens. Answers what the server
 * left unread of the request, if that shows.
 */
export function recordReply(turn: Turn, reply: Reply): Truncation | undefined {
  const { agent, choice } = turn;
  const weight = agent.weightIn(choice?.window.tokens ?? Number.MAX_SAFE_INTEGER);
  const charsSent = agent.requestChars;
  const { messageId, parts, stop, usage, prefix, provider, model, repairs = [] } = reply;
  // A step may have asked another model, whose price is not this one.
  const cost = costOf(usage, model === choice?.model ? choice.price : undefined);
  turn.record({
    sessionUpdate: "agent_message",
    messageId,
    parts,
    stop,
    ...(usage ? { usage } : {}),
    cost,
    ...(prefix ? { prefix } : {}),
    provider,
    model,
  });
  turn.spend(usage, cost);
  for (const repair of repairs) turn.record({ sessionUpdate: "repair", messageId, ...repair });
  agent.meter.count(usage, charsSent, agent.requestChars);
  if (tokensRead(usage) === undefined) return undefined;
  agent.truncated = truncationOf(usage, weight);
  if (agent.truncated) agent.meter.forget();
  return agent.truncated;
}

/** What had arrived is kept for people: text and thoughts, never calls. */
export function keepCut(turn: Turn, reply: Reply): void {
  const parts = soundParts(reply.parts).parts.filter((part) => part.type !== "tool_call");
  if (parts.length === 0 && !reply.usage) return;
  recordReply(turn, { ...reply, parts, stop: "cut" });
  if (parts.length > 0) turn.output = textOf(parts);
}

const NOT_RUN =
  "not run: the server had read only a part of the conversation, so nobody knows what this call was based on.";

/** A model that has not seen its instructions or its work must not go on: its calls are answered, and the turn stops. */
export function stopTruncated(turn: Turn, calls: readonly ToolCallPart[], truncation: Truncation): StageValue {
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
  return { nextState: "error", error: { kind: "truncated", message: truncatedText(turn, truncation) } };
}

function truncatedText({ choice }: Turn, { sentTokens, readTokens }: Truncation): string {
  const windowTokens = choice?.window.tokens ?? 0;
  const what = `The server read only a part of the conversation: about ${sentTokens} tokens were sent, and it counted ${readTokens}.`;
  // Cut at the very window that was known: what was sent is too long, not the setting wrong.
  const advice =
    readTokens * 10 >= windowTokens * 9
      ? `Its window is full (${windowTokens} tokens): compact the conversation, or give the server a larger window.`
      : `Its window is smaller than the ${windowTokens} tokens that harness goes by: set context_limit to ${readTokens}, or give the server a larger window.`;
  return [what, advice, ...(choice?.windowAdvice ? [choice.windowAdvice] : [])].join(" ");
}
