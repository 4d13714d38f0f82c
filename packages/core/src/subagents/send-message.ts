import { sanitizeText } from "../context/sanitize-text.ts";
import { estimateTokens } from "../context/tokens/estimate-tokens.ts";
import type { CallContext } from "../loop/calls/run-call.ts";
import type { Agent } from "../loop/turn/agent.ts";
import { hasMessages } from "../loop/turn/drain-inbox.ts";
import { wakeAgents } from "../loop/turn/scope.ts";
import type { Turn } from "../loop/turn/turn.ts";
import type { ToolResult } from "../ports/tool.ts";
import type { AgentMessage } from "../tools/send-message.ts";
import { errorResult } from "../tools/tool-result.ts";
import { canGoOn } from "./can-go-on.ts";
import { findAgent } from "./find-agent.ts";

/** An agent that does not read its messages gets no more than this. */
const MAX_UNREAD = 50;

/**
 * Puts a message into the inbox of another agent, which reads it before its next request. It is stored before the
 * sender gets its result. Throws `LogWriteError`.
 */
export async function deliverMessage(
  order: AgentMessage,
  { caller: { turn }, signal }: CallContext,
): Promise<ToolResult> {
  const { scope, agent: sender } = turn;
  const receiver = findAgent(scope, order.to, sender.agentId);
  if ("problem" in receiver) return errorResult(receiver.problem);
  const { agentId } = receiver;
  const text = sanitizeText(order.text);
  const refusal = messageRefusal(turn, receiver, text);
  if (refusal) return errorResult(refusal);
  const messageId = turn.runtime.ids.next("message");
  const turnId = receiver.turn?.turnId;
  scope.journal.append({
    agentId,
    ...(turnId === undefined ? {} : { turnId }),
    update: { sessionUpdate: "inbox_update", messageId, state: "queued", fromAgentId: sender.agentId, text },
  });
  receiver.inbox.wake();
  const outcome = order.wait ? await awaitAnswer(turn, agentId, signal) : whenRead(receiver);
  return { status: "ok", text: `Queued for ${agentId}. ${outcome}`, blocks: [{ type: "text", text: order.text }] };
}

/** It stays in the receiver's requests, so it must leave room for the work. */
function messageRefusal({ choice }: Turn, { agentId, inbox }: Agent, text: string): string | undefined {
  if (inbox.unread.length >= MAX_UNREAD)
    return `${agentId} has ${MAX_UNREAD} unread messages: wait until it reads them.`;
  const most = Math.floor((choice?.contextWindow.tokens ?? 8_192) / 8);
  const tokens = estimateTokens(text.length);
  if (tokens <= most) return undefined;
  return `The message is about ${tokens} tokens long; the limit is ${most}. Put it in a file and name the file.`;
}

function whenRead({ turn }: Agent): string {
  return turn
    ? "It will read it before its next request."
    : "It is idle, and will read it when the person next writes to it.";
}

/** Waits until a message arrives, or until no agent is left that could answer. */
async function awaitAnswer(turn: Turn, to: string, signal: AbortSignal): Promise<string> {
  const { agent, scope } = turn;
  const self = new Set([agent.agentId]);
  agent.waitsFor = [to];
  // Agents that wait for this one may now wait in vain.
  wakeAgents(scope);
  try {
    while (!hasMessages(turn) && !signal.aborted && canGoOn(scope, to, self)) await agent.inbox.arrival(signal);
  } finally {
    agent.waitsFor = undefined;
  }
  if (hasMessages(turn)) return "Your messages follow.";
  if (signal.aborted) return "The wait was cancelled.";
  return "No answer is coming: it has ended, is idle, or is waiting for you. Go on without one, or say what you need in your result.";
}
