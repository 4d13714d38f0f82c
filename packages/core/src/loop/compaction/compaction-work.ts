import type { UpdateOf } from "@harness/protocol";
import type { CompactProblem } from "../../ports/live-session.ts";
import type { ModelChoice } from "../../ports/provider.ts";
import type { Agent } from "../turn/agent.ts";
import type { Scope } from "../turn/scope.ts";
import type { RequestCost } from "../turn/side-request.ts";
import type { Turn } from "../turn/turn.ts";
import type { SummaryRequest } from "./summarize.ts";

export type CompactRequest = {
  reason: UpdateOf<"compaction_update">["reason"];
  /** The most important things to keep, in the words of the user or of the model. */
  focus?: string;
  signal: AbortSignal;
  /** The turn that pays for it; absent between two turns. */
  turn?: Turn;
  /** If no summary can be written, the older messages are left out without one. */
  mayTruncate?: boolean;
  /** Only the last exchange stays, and nothing is summarised: everything else was tried. */
  keepsLast?: true;
};

export const NOT_SUMMARISED = "Older messages were not summarised.";

/** A compaction in progress. */
export type CompactionWork = {
  scope: Scope;
  agent: Agent;
  choice: ModelChoice;
  order: CompactRequest;
  compactionId: string;
};

export type CompactionResult = { tokensBefore: number; tokensAfter: number } | CompactProblem;

/** Shows the progress of the work, and the status of each request while it runs; its text is not shown. */
export function progressOf({ scope, agent, order, compactionId }: CompactionWork) {
  const delta = (update: UpdateOf<"compaction_status"> | UpdateOf<"request_status">) =>
    scope.journal.delta(agent.agentId, order.turn?.turnId, update);
  let isShown = false;
  const onStatus: SummaryRequest["onStatus"] = ({ type: _, ...status }) => {
    isShown = true;
    delta({ sessionUpdate: "request_status", messageId: compactionId, ...status });
  };
  const onProgress = (phase: "summarize" | "merge", done: number, total: number) => {
    delta({ sessionUpdate: "compaction_status", compactionId, phase, done, total });
  };
  /** After the last request: the turn is charged for its cost. */
  const ended = (passes: number, spent: RequestCost | undefined) => {
    order.turn?.spend(spent?.usage, spent?.cost);
    if (isShown) delta({ sessionUpdate: "request_status", messageId: compactionId, phase: "ended" });
    delta({ sessionUpdate: "compaction_status", compactionId, phase: "ended", done: passes, total: passes });
  };
  return { onStatus, onProgress, ended };
}

/** Notifies the user if no caller awaits the answer, or if the attempt has cost something that must be in the sums. */
export function reportFailure(
  work: CompactionWork,
  problem: string,
  spent: RequestCost | undefined,
  provider?: CompactProblem["provider"],
): CompactionResult {
  const { reason, signal } = work.order;
  if (spent || (reason === "auto" && !signal.aborted)) report(work, NOT_SUMMARISED, problem, spent);
  return { problem, ...(provider ? { provider } : {}) };
}

/** A warning, with what was spent in vain. */
export function report(
  { scope, agent, order }: CompactionWork,
  title: string,
  description: string,
  spent: RequestCost | undefined,
): void {
  scope.journal.append({
    agentId: agent.agentId,
    ...(order.turn ? { turnId: order.turn.turnId } : {}),
    update: {
      sessionUpdate: "notice",
      severity: "warning",
      title,
      description,
      ...spent,
    },
  });
}
