import type { UpdateOf } from "@harness/protocol";
import { missingPins } from "../../context/compaction/pins.ts";
import { dateNote } from "../../context/conversation/date-note.ts";
import { keptChars } from "../../context/conversation/kept-part.ts";
import { summaryMessage } from "../../context/conversation/summary-text.ts";
import { estimateTokens, messageChars } from "../../context/tokens/estimate-tokens.ts";
import type { ModelChoice } from "../../ports/provider.ts";
import type { Agent } from "../turn/agent.ts";
import type { Scope } from "../turn/scope.ts";
import type { Turn } from "../turn/turn.ts";
import { type CompactionPlan, compactionPlan } from "./compaction-plan.ts";
import type { Spent, SummaryRequest } from "./summarize.ts";
import { type SpanSummary, summarizeSpan } from "./summarize-span.ts";

export type CompactRequest = {
  reason: UpdateOf<"compaction_update">["reason"];
  /** What must be kept above all, by the words of the person or of the model. */
  focus?: string;
  signal: AbortSignal;
  /** The turn that pays for it; absent between two turns. */
  turn?: Turn;
  /** Where no summary can be written the older messages are left out without one. */
  mayTruncate?: boolean;
};

/** A compaction under way. */
type Work = { scope: Scope; agent: Agent; choice: ModelChoice; order: CompactRequest; compactionId: string };

/** The text in place of the older messages, and how it came about. */
type Replacement = Pick<UpdateOf<"compaction_update">, "passes" | "fallback"> & { text: string; spent?: Spent };

export type Compacted = { tokensBefore: number; tokensAfter: number } | { problem: string };

/**
 * Replaces the older messages by a summary that a model writes, with what it has lost of the pins behind it. The
 * compaction is a fact of the log; on a failure nothing changes and the problem is described, unless the messages may be
 * left out without a summary. Throws `LogWriteError`.
 */
export async function compactAgent(
  scope: Scope,
  agent: Agent,
  choice: ModelChoice,
  order: CompactRequest,
): Promise<Compacted> {
  const compactionId = scope.ports.runtime.ids.next("compaction");
  const work: Work = { scope, agent, choice, order, compactionId };
  const plan = compactionPlan({ scope, agent, contextWindow: choice.contextWindow.tokens, reason: order.reason });
  if (plan === undefined) {
    const problem = "There is nothing to compact yet: the last exchanges are kept as they are.";
    return reportFailure(work, problem, undefined);
  }
  const summary = await summarized(work, plan);
  if (!("problem" in summary)) {
    const { passes } = summary;
    return record(work, plan, { ...summary, ...(passes > 1 ? { passes } : { passes: undefined }) });
  }
  const { spent, problem, cause } = summary;
  if (!order.mayTruncate || cause === "cancelled") return reportFailure(work, problem, spent);
  report(work, `${problem} They were left out without a summary; they are still in the log.`, spent);
  return record(work, plan, { text: truncationText(plan), fallback: "truncated" });
}

/** By the model for summaries where there is one, and by that of the session where that one fails. */
async function summarized(work: Work, { part }: CompactionPlan): Promise<SpanSummary> {
  const { scope, agent, choice, order } = work;
  const messages = agent.projection.messages.slice(0, part.from);
  const { compactModel } = scope.settings;
  if (compactModel === "") return await summarizedBy(work, choice, messages);
  const own = await scope.requests.models.named(compactModel);
  if ("problem" in own) {
    report(work, `compact_model is ${compactModel}: ${own.problem} The session's model does it.`, undefined);
    return await summarizedBy(work, choice, messages);
  }
  const summary = await summarizedBy(work, own, messages);
  if (!("problem" in summary) || summary.cause === "cancelled" || order.signal.aborted) return summary;
  report(work, `${own.model}: ${summary.problem} The session's model does it.`, summary.spent);
  return await summarizedBy(work, choice, messages);
}

/** Shows how far it is, and the status of each request while it runs; its text is not shown. */
async function summarizedBy(work: Work, choice: ModelChoice, messages: Agent["projection"]["messages"]) {
  const { scope, agent, order, compactionId } = work;
  const { signal, turn, focus } = order;
  const delta = (update: UpdateOf<"compaction_status"> | UpdateOf<"request_status">) =>
    scope.journal.delta(agent.agentId, turn?.turnId, update);
  let isShown = false;
  const onStatus: SummaryRequest["onStatus"] = ({ type: _, ...status }) => {
    isShown = true;
    delta({ sessionUpdate: "request_status", messageId: compactionId, ...status });
  };
  const onProgress = (phase: "summarize" | "merge", done: number, total: number) => {
    delta({ sessionUpdate: "compaction_status", compactionId, phase, done, total });
  };
  const summary = await summarizeSpan({ scope, choice, focus, signal, onStatus, onProgress }, messages);
  turn?.spend(summary.spent?.usage, summary.spent?.cost);
  if (isShown) delta({ sessionUpdate: "request_status", messageId: compactionId, phase: "ended" });
  const { passes } = summary;
  delta({ sessionUpdate: "compaction_status", compactionId, phase: "ended", done: passes, total: passes });
  return summary;
}

function record(work: Work, plan: CompactionPlan, { text: summary, spent, ...how }: Replacement): Compacted {
  const { scope, agent, order, compactionId } = work;
  const { projection, agentId } = agent;
  const { reason, focus, turn } = order;
  const { pins, part, maxPinChars } = plan;
  const { from, shortenTo } = part;
  const today = scope.ports.requests.today();
  const missing = missingPins(pins, summary, maxPinChars);
  const text = `${summary}${missing.text}${today === "" ? "" : `\n\n${dateNote(today)}`}`;
  const tokensBefore = agent.usedTokens;
  const replaced = agent.requestChars - projection.chars + messageChars(summaryMessage(text));
  const tokensAfter = estimateTokens(replaced + keptChars(projection.messages, part));
  scope.journal.append({
    agentId,
    ...(turn ? { turnId: turn.turnId } : {}),
    update: {
      sessionUpdate: "compaction_update",
      compactionId,
      reason,
      summary: text,
      keepFromSeq: projection.seqAt(from),
      ...(shortenTo > from ? { shortened: shortenTo - from } : {}),
      tokensBefore,
      tokensAfter,
      ...(focus?.trim() ? { focus } : {}),
      ...(missing.kinds.length > 0 ? { pins: missing.kinds } : {}),
      ...(how.passes === undefined ? {} : { passes: how.passes }),
      ...(how.fallback === undefined ? {} : { fallback: how.fallback }),
      ...spent,
    },
  });
  agent.conversationCompacted();
  scope.requests.system.forget();
  return { tokensBefore, tokensAfter };
}

function truncationText({ part }: CompactionPlan): string {
  const count = part.from === 1 ? "1 message is" : `${part.from} messages are`;
  return `(No summary could be written: ${count} left out here. Look at the files for what was done, and ask the person where you are not sure.)`;
}

/** Notifies people where no caller awaits the answer, and where the attempt has cost something that must be in the sums. */
function reportFailure(work: Work, problem: string, spent: Spent | undefined): Compacted {
  const { reason, signal } = work.order;
  if (spent || (reason === "auto" && !signal.aborted)) report(work, problem, spent);
  return { problem };
}

function report({ scope, agent, order }: Work, description: string, spent: Spent | undefined): void {
  scope.journal.append({
    agentId: agent.agentId,
    ...(order.turn ? { turnId: order.turn.turnId } : {}),
    update: {
      sessionUpdate: "notice",
      severity: "warning",
      title: "Older messages were not summarised.",
      description,
      ...spent,
    },
  });
}
