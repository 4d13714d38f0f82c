import type { UpdateOf } from "@harness/protocol";
import { keepBoundary } from "../../context/conversation/keep-boundary.ts";
import {
  SUMMARY_SYSTEM,
  summaryMessage,
  summaryRequestText,
  transcriptOf,
  withLastPrompt,
} from "../../context/conversation/summary-text.ts";
import { estimateTokens, messageChars } from "../../context/tokens/estimate-tokens.ts";
import { pressureOf, usableTokens } from "../../context/tokens/usable-tokens.ts";
import type { ModelChoice, ModelRequest } from "../../ports/provider.ts";
import type { Agent } from "../turn/agent.ts";
import type { Scope } from "../turn/scope.ts";
import type { Turn } from "../turn/turn.ts";
import { type Spent, type Summary, type SummaryRequest, summarize } from "./summarize.ts";

export type CompactRequest = {
  reason: UpdateOf<"compaction_update">["reason"];
  /** Instructions of the person on what to keep. */
  focus?: string;
  signal: AbortSignal;
  /** The turn that pays for it; absent between two turns. */
  turn?: Turn;
};

/** A compaction under way. */
type Work = { scope: Scope; agent: Agent; choice: ModelChoice; order: CompactRequest };

export type Compacted = { tokensBefore: number; tokensAfter: number } | { problem: string };

/** Replies kept verbatim, with the messages they answered; fewer under pressure, but never none. */
const PAIRS = 5;
const PAIRS_IN_NEED = [PAIRS, 2, 1];
/** Maximum share of the usable window for messages kept verbatim, where there is a choice. */
const MAX_KEPT_SHARE = 0.4;
const MAX_SUMMARY_TOKENS = 4_096;

/**
 * Replaces the older messages by a summary that the model writes. The compaction is a fact of the log; on a failure
 * nothing changes and the problem is described. Throws `LogWriteError`.
 */
export async function compactAgent(
  scope: Scope,
  agent: Agent,
  choice: ModelChoice,
  order: CompactRequest,
): Promise<Compacted> {
  const work: Work = { scope, agent, choice, order };
  const { reason, focus, turn } = order;
  const { projection, agentId } = agent;
  const boundary = boundaryOf(agent, reason, choice.contextWindow.tokens);
  if (boundary === undefined) {
    const problem = "There is nothing to compact yet: the last exchanges are kept as they are.";
    return reportFailure(work, problem, undefined);
  }
  const tokensBefore = agent.usedTokens;
  const compactionId = scope.ports.runtime.ids.next("compaction");
  const request = summaryRequest(agent, choice, boundary, focus);
  const summary = await askSummary(work, request, compactionId);
  const { spent } = summary;
  if (spent) turn?.spend(spent.usage, spent.cost);
  if ("problem" in summary) return reportFailure(work, summary.problem, spent);
  const keepFromSeq = projection.seqAt(boundary);
  const lastPrompt = projection.lastPrompt;
  const isLost = lastPrompt !== undefined && lastPrompt.seq < keepFromSeq;
  const text = withLastPrompt(summary.text, isLost ? lastPrompt.text : undefined);
  const kept = projection.messages.slice(boundary).reduce((sum, message) => sum + messageChars(message), 0);
  const replaced = agent.requestChars - projection.chars + messageChars(summaryMessage(text)) + kept;
  const tokensAfter = estimateTokens(replaced);
  scope.journal.append({
    agentId,
    ...(turn ? { turnId: turn.turnId } : {}),
    update: {
      sessionUpdate: "compaction_update",
      compactionId,
      reason,
      summary: text,
      keepFromSeq,
      tokensBefore,
      tokensAfter,
      ...spent,
    },
  });
  agent.conversationCompacted();
  scope.requests.system.forget();
  return { tokensBefore, tokensAfter };
}

/** Cuts old results in the requests only. False = there was nothing to cut. */
export function shrinkAgent(agent: Agent): boolean {
  const shrunk = agent.projection.shrinkResults(500, 2);
  if (shrunk) {
    agent.meter.forget();
    agent.ledger.expect("older tool results were shortened", "messages");
  }
  return shrunk;
}

function boundaryOf(
  { projection, usedTokens }: Agent,
  reason: CompactRequest["reason"],
  contextWindow: number,
): number | undefined {
  // An earlier summary alone is not worth another one.
  const least = projection.startsWithSummary ? 2 : 1;
  // A person who compacts a window that fills up means it, even if a few exchanges fill it.
  const isInNeed = reason !== "manual" || pressureOf(usedTokens, contextWindow) !== "none";
  const choices = isInNeed ? PAIRS_IN_NEED : [PAIRS];
  const boundaries = choices
    .map((pairs) => keepBoundary(projection.messages, pairs))
    .filter((boundary) => boundary >= least);
  // The kept messages must leave room, or the next message compacts again.
  const leavesRoom = (boundary: number) => {
    const kept = projection.messages.slice(boundary).reduce((sum, message) => sum + messageChars(message), 0);
    return estimateTokens(kept) <= usableTokens(contextWindow) * MAX_KEPT_SHARE;
  };
  return boundaries.find(leavesRoom) ?? boundaries.at(-1);
}

function summaryRequest(agent: Agent, choice: ModelChoice, boundary: number, focus: string | undefined): ModelRequest {
  const contextWindow = choice.contextWindow.tokens;
  const maxOutputTokens = Math.min(MAX_SUMMARY_TOKENS, Math.floor(contextWindow / 4));
  // Three characters a token, and room for the instructions: an estimate on the safe side.
  const maxChars = Math.max(2_000, (usableTokens(contextWindow) - 500) * 3);
  const transcript = transcriptOf(agent.projection.messages.slice(0, boundary), maxChars);
  return {
    model: choice.model,
    system: SUMMARY_SYSTEM,
    messages: [{ role: "user", content: [{ type: "text", text: summaryRequestText(transcript, focus) }] }],
    tools: [],
    maxOutputTokens,
    contextWindow,
    priority: "background",
    ...(choice.effort ? { effort: choice.effort } : {}),
  };
}

/** Shows the status of the request while it runs; its text is not shown. */
async function askSummary(
  { scope, agent: { agentId }, choice, order: { signal, turn } }: Work,
  request: ModelRequest,
  messageId: string,
): Promise<Summary> {
  let isShown = false;
  const show = (status: Omit<UpdateOf<"request_status">, "sessionUpdate" | "messageId">) =>
    scope.journal.delta(agentId, turn?.turnId, { sessionUpdate: "request_status", messageId, ...status });
  const onStatus: SummaryRequest["onStatus"] = ({ type: _, ...status }) => {
    isShown = true;
    show(status);
  };
  const summary = await summarize({ scope, choice, request, signal, onStatus });
  if (isShown) show({ phase: "ended" });
  return summary;
}

/**
 * Notifies people where no caller awaits the answer, and where the attempt has cost something that must be in the sums.
 */
function reportFailure({ scope, agent, order }: Work, problem: string, spent: Spent | undefined): Compacted {
  const { reason, signal, turn } = order;
  if (!spent && (reason !== "auto" || signal.aborted)) return { problem };
  scope.journal.append({
    agentId: agent.agentId,
    ...(turn ? { turnId: turn.turnId } : {}),
    update: {
      sessionUpdate: "notice",
      severity: "warning",
      title: "Older messages were not summarised.",
      description: problem,
      ...spent,
    },
  });
  return { problem };
}
