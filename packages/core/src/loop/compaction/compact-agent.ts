import { keepEnds } from "../../context/compaction/cut-text.ts";
import type { ModelChoice } from "../../ports/provider.ts";
import { fitReplies } from "../budget/fit-unanswered.ts";
import type { Agent } from "../turn/agent.ts";
import type { Scope } from "../turn/scope.ts";
import { type CompactionPlan, compactionPlan } from "./compaction-plan.ts";
import {
  type CompactionResult,
  type CompactionWork,
  type CompactRequest,
  NOT_SUMMARISED,
  progressOf,
  report,
  reportFailure,
} from "./compaction-work.ts";
import { editByAgent } from "./edit-by-agent.ts";
import { recordCompaction } from "./record-compaction.ts";
import { recordEdits } from "./record-edits.ts";
import { type SpanSummary, summarizeSpan } from "./summarize-span.ts";

/**
 * Replaces the older messages by a summary that a model writes, followed by the pins it lacks. The compaction is a fact
 * of the log; on a failure nothing changes and the problem is described, unless the messages may be left out without a
 * summary. Throws `LogWriteError`.
 */
export async function compactAgent(
  scope: Scope,
  agent: Agent,
  choice: ModelChoice,
  order: CompactRequest,
): Promise<CompactionResult> {
  const compactionId = scope.ports.runtime.ids.next("compaction");
  const work: CompactionWork = { scope, agent, choice, order, compactionId };
  const { reason, focus = "", keepsLast, signal } = order;
  const planned = { scope, agent, contextWindow: choice.contextWindow.tokens, reason, keepsLast };
  const plan = compactionPlan(planned);
  if (plan === undefined) {
    const tokensBefore = agent.usedTokens;
    const contextWindow = choice.contextWindow.tokens;
    if (fitReplies({ scope, agent, contextWindow, ...(order.turn && { turnId: order.turn.turnId }) }))
      return { tokensBefore, tokensAfter: agent.usedTokens };
    const problem = "There is nothing to compact yet: the last exchanges are kept as they are.";
    return reportFailure(work, problem, undefined);
  }
  const trigger = reason === "manual" ? "manual" : "auto";
  const refusal = await scope.requests.beforeCompaction({ trigger, instructions: focus, signal });
  if (refusal !== undefined) return reportFailure(work, refusal, undefined);
  if (keepsLast) return recordCompaction(work, plan, { text: truncationText(plan), fallback: "truncated" });
  const writer = await writerOf(work);
  if (scope.settings.values.compact_strategy === "agent") {
    const edits = await editByAgent({ ...work, choice: writer }, plan);
    if (!("problem" in edits)) return recordEdits(work, edits);
    if (edits.cause === "cancelled") return reportFailure(work, edits.problem, edits.spent);
    report(work, "The compaction agent failed, so a single summary is written instead.", edits.problem, edits.spent);
  }
  const summary = await summarized(work, plan, writer);
  if (!("problem" in summary)) {
    const { passes } = summary;
    const text = keepEnds(summary.text, plan.maxSummaryChars);
    const roomier = compactionPlan({ ...planned, summaryChars: text.length });
    const final = roomier && roomier.part.from <= plan.part.from ? roomier : plan;
    return recordCompaction(work, final, { ...summary, text, ...(passes > 1 ? { passes } : { passes: undefined }) });
  }
  const { spent, problem, cause, failed: kind } = summary;
  const provider = kind && { id: choice.provider.id, kind, isPassing: cause === "passing" };
  if (!order.mayTruncate || cause === "cancelled") return reportFailure(work, problem, spent, provider);
  report(work, NOT_SUMMARISED, `${problem} They were left out without a summary; they are still in the log.`, spent);
  return recordCompaction(work, plan, { text: truncationText(plan), fallback: "truncated" });
}

/** The model for compactions if one is set and available, otherwise the session's. */
async function writerOf(work: CompactionWork): Promise<ModelChoice> {
  const { scope, choice } = work;
  const { compact_model: compactModel } = scope.settings.values;
  if (compactModel === "") return choice;
  const own = await scope.requests.models.named(compactModel);
  if (!("problem" in own)) return own;
  const title = `${compactModel} (compact_model) cannot be used, so the session's model writes the summary.`;
  report(work, title, own.problem, undefined);
  return choice;
}

/** Uses that model, and the session's if it fails. */
async function summarized(work: CompactionWork, { part }: CompactionPlan, writer: ModelChoice): Promise<SpanSummary> {
  const { agent, choice, order } = work;
  const messages = agent.projection.messages.slice(0, part.from);
  const summary = await summarizedBy(work, writer, messages);
  if (!("problem" in summary) || writer === choice || summary.cause === "cancelled" || order.signal.aborted)
    return summary;
  const title = `${writer.model} (compact_model) could not write the summary, so the session's model does.`;
  report(work, title, summary.problem, summary.spent);
  return await summarizedBy(work, choice, messages);
}

async function summarizedBy(work: CompactionWork, choice: ModelChoice, messages: Agent["projection"]["messages"]) {
  const { scope, order } = work;
  const { onStatus, onProgress, ended } = progressOf(work);
  const { signal, focus } = order;
  const about = { agentId: work.agent.agentId, purpose: "compaction" } as const;
  const summary = await summarizeSpan({ scope, about, choice, focus, signal, onStatus, onProgress }, messages);
  ended(summary.passes, summary.spent);
  return summary;
}

function truncationText({ part }: CompactionPlan): string {
  const count = part.from === 1 ? "1 message is" : `${part.from} messages are`;
  return `(No summary could be written: ${count} left out here. Check the files for what was done, and ask the person if you are not sure.)`;
}
