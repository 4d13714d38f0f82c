import { compactAgent } from "../loop/compaction/compact-agent.ts";
import type { CompactionResult } from "../loop/compaction/compaction-work.ts";
import { type BriefResult, writeBrief } from "../loop/compaction/write-brief.ts";
import type { Agent } from "../loop/turn/agent.ts";
import type { Scope } from "../loop/turn/scope.ts";
import type { CompactProblem } from "../ports/live-session.ts";
import type { ModelChoice } from "../ports/provider.ts";

type CompactWish = { instructions: string | undefined; signal: AbortSignal };

/** Compacts the conversation of an agent at the user's request. Throws `LogWriteError`. */
export async function compactNow(
  scope: Scope,
  agent: Agent,
  { instructions, signal }: CompactWish,
): Promise<CompactionResult> {
  const choice = await settledModel(scope, agent);
  if ("problem" in choice) return choice;
  const focus = instructions?.trim() ? { focus: instructions } : {};
  return await compactAgent(scope, agent, choice, { reason: "manual", signal, ...focus });
}

/** Has the model write a brief of the conversation for a new session. Throws `LogWriteError`. */
export async function briefNow(
  scope: Scope,
  agent: Agent,
  options: { purpose: string; signal: AbortSignal },
): Promise<BriefResult> {
  const choice = await settledModel(scope, agent);
  return "problem" in choice ? choice : await writeBrief(scope, agent, choice, options);
}

/** The answer while the session is busy, or cannot be saved. */
export function refusedSummary(problem: string, unsaved?: true): CompactProblem {
  return { problem, ...(unsaved && { unsaved }) };
}

async function settledModel({ requests }: Scope, agent: Agent): Promise<ModelChoice | { problem: string }> {
  const choice = await requests.models.choose({ fresh: true });
  if (!("problem" in choice)) await agent.settle(choice, requests.system);
  return choice;
}
