import { missingPins } from "../../context/compaction/pins.ts";
import type { CompactProblem } from "../../ports/live-session.ts";
import type { ModelChoice } from "../../ports/provider.ts";
import type { Agent } from "../turn/agent.ts";
import type { Scope } from "../turn/scope.ts";
import { pinsOf } from "./compaction-plan.ts";
import { type CompactionWork, progressOf } from "./compaction-work.ts";
import { summarizeSpan } from "./summarize-span.ts";

export type BriefResult = { text: string } | CompactProblem;

/** Characters of the messages, tasks and files that are quoted after the summary. */
const MAX_PIN_CHARS = 4_000;

/**
 * Writes a brief of a conversation for a new session that knows nothing else. `purpose`: what the new session is for. The
 * conversation stays as it is; a notice records the cost. Throws `LogWriteError`.
 */
export async function writeBrief(
  scope: Scope,
  agent: Agent,
  choice: ModelChoice,
  { purpose, signal }: { purpose: string; signal: AbortSignal },
): Promise<BriefResult> {
  const { messages } = agent.projection;
  if (messages.length === 0) return { problem: "There is nothing to hand over yet: this session has no messages." };
  const compactionId = scope.ports.runtime.ids.next("compaction");
  const work: CompactionWork = { scope, agent, choice, order: { reason: "manual", signal }, compactionId };
  const { onStatus, onProgress, ended } = progressOf(work);
  const about = { agentId: agent.agentId, purpose: "brief" } as const;
  const focus = focusOf(purpose);
  const brief = await summarizeSpan({ scope, about, choice, focus, signal, onStatus, onProgress }, messages);
  ended(brief.passes, brief.spent);
  if (brief.spent) {
    const title = "problem" in brief ? "No brief was written." : "A brief for a new session was written.";
    const update = { sessionUpdate: "notice", severity: "info", title, ...brief.spent } as const;
    scope.journal.append({ agentId: agent.agentId, update });
  }
  if ("problem" in brief) {
    const { problem, failed: kind, cause } = brief;
    return { problem, ...(kind && { provider: { id: choice.provider.id, kind, isPassing: cause === "passing" } }) };
  }
  const pins = missingPins(pinsOf(scope, agent, messages.length), brief.text, MAX_PIN_CHARS).text.trim();
  return { text: pins === "" ? brief.text : `${brief.text}\n\n${pins}` };
}

function focusOf(purpose: string): string {
  const task = purpose === "" ? "" : ` The new session is for this: ${purpose}`;
  return `the goal, decisions and their reasons, files, open tasks, and what was tried and failed: a new session starts from this text and knows nothing else.${task}`;
}
