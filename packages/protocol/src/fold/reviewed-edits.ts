import type { StagedFile } from "../vocabulary/facts/staged-file.ts";
import type { HunkAnswer, Permission, PermissionOutcome } from "../vocabulary/permission.ts";
import type { UpdateOf } from "../vocabulary/updates.ts";
import type { AgentState } from "./agent-state.ts";
import type { EditReview, ToolItem } from "./transcript-item.ts";

/** Calls whose edits wait for a review, by the path of their file. */
export type CallsInReview = Map<string, { agentId: string; toolCallId: string }[]>;

type Reviews = { agents: Map<string, AgentState>; staged: Map<string, StagedFile>; inReview: CallsInReview };

/** A call that has changed files beside the workspace waits until they are reviewed. */
export function awaitReview(
  state: Reviews,
  agent: AgentState,
  { toolCallId, outcome }: UpdateOf<"tool_call_update">,
): void {
  if (outcome?.status !== "ok" || state.staged.size === 0) return;
  const paths = outcome.blocks.flatMap((block) => (block.type === "diff" ? [block.path] : []));
  const staged = paths.filter((path) => state.staged.get(path)?.standing === "waiting");
  for (const path of staged) {
    const calls = state.inReview.get(path) ?? [];
    state.inReview.set(path, [...calls, { agentId: agent.agentId, toolCallId }]);
  }
  if (staged.length > 0) change(agent, toolCallId, { state: "waiting" });
}

/** Each call has the decisions about its files. */
export function settleReview(state: Reviews, { review = [], options }: Permission, outcome: PermissionOutcome): void {
  if (outcome.outcome !== "selected") return;
  const chosen = options.find(({ optionId }) => optionId === outcome.optionId)?.kind;
  const rest = { take: chosen?.startsWith("allow") === true, feedback: outcome.feedback };
  for (const [path, hunks] of Map.groupBy(review, (hunk) => hunk.path)) {
    const answers = hunks.map(({ hunkId }) => outcome.hunks?.find((each) => each.hunkId === hunkId) ?? rest);
    end(state, path, decisionOf(answers));
  }
}

/** A staged file that ends without a decision was not written. */
export function applyStaged(state: Reviews, files: readonly StagedFile[]): void {
  for (const file of files) {
    if (file.standing !== "ended") {
      state.staged.set(file.path, file);
      continue;
    }
    state.staged.delete(file.path);
    end(state, file.path, { state: "dropped" });
  }
}

function decisionOf(answers: readonly Pick<HunkAnswer, "take" | "feedback">[]): EditReview {
  const taken = answers.filter(({ take }) => take).length;
  const reasons = answers.flatMap(({ take, feedback = "" }) =>
    take || feedback.trim() === "" ? [] : [feedback.trim()],
  );
  return { state: "decided", taken, of: answers.length, reasons: [...new Set(reasons)] };
}

function end({ agents, inReview }: Reviews, path: string, review: EditReview): void {
  for (const { agentId, toolCallId } of inReview.get(path) ?? []) {
    const agent = agents.get(agentId);
    if (agent) change(agent, toolCallId, review);
  }
  inReview.delete(path);
}

/** Items are replaced, never changed: rows are kept for them. */
function change(agent: AgentState, toolCallId: string, review: EditReview): void {
  const early = agent.early?.items.get(toolCallId);
  if (early) agent.early?.items.set(toolCallId, { ...early, review });
  const position = agent.positions.get(toolCallId) ?? -1;
  const item = agent.items[position];
  if (item?.kind === "tool") agent.items[position] = { ...item, review: joined(item, review) };
}

/** A call that changed several files has the decisions about all of them. */
function joined({ review: before }: ToolItem, review: EditReview): EditReview {
  if (before?.state !== "decided" || review.state !== "decided") return review;
  return {
    state: "decided",
    taken: before.taken + review.taken,
    of: before.of + review.of,
    reasons: [...new Set([...before.reasons, ...review.reasons])],
  };
}
