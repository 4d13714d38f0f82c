export type { Clock } from "@harness/gate";
export { addUsage } from "@harness/protocol";
export { Projection } from "./context/conversation/projection.ts";
export { cutMiddle } from "./context/cut-result.ts";
export { type CompactionDiff, compactionDiff } from "./context/recall/compaction-diff.ts";
export { type PastEntry, pastEntries, pastEntry } from "./context/recall/past-entries.ts";
export { searchEntries } from "./context/recall/search-entries.ts";
export { promptBudget } from "./context/system/prompt-budget.ts";
export { pinnedHeading, pinnedName } from "./context/system/sections/pinned-files.ts";
export { makeTitle } from "./context/title-of.ts";
export { costOf } from "./context/tokens/cost-of.ts";
export { usableTokens } from "./context/tokens/usable-tokens.ts";
export { withoutResult } from "./journal/journal.ts";
export { builtInSteps } from "./loop/built-in-steps.ts";
export { callAsRun } from "./loop/calls/call-as-run.ts";
export { claimOf, clash } from "./loop/calls/effect-claim.ts";
export { coreToolList, coreToolNames } from "./loop/core-tools.ts";
export { usedForGoal } from "./loop/goal/goal-budget.ts";
export { goalText } from "./loop/goal/goal-facts.ts";
export { GOAL_NOTE } from "./loop/goal/goal-texts.ts";
export { canonicalJson } from "./loop/json/canonical-json.ts";
export { repairJson } from "./loop/json/repair-json.ts";
export { type CallResult, type CallSteps, NO_CALL_STEPS, type ResultStep } from "./loop/stages/call-steps.ts";
export { type Step, StepError, type StepOf } from "./loop/stages/stage.ts";
export {
  EMPTY_DRAFT,
  type Reply,
  type RequestDraft,
  type StageName,
  type StageState,
  type Transition,
} from "./loop/stages/stage-value.ts";
export { type NamedTools, toolMeaning } from "./loop/tool-meaning.ts";
export { checkableSchema } from "./loop/toolbox/schemas/checkable-schema.ts";
export { type SchemaArgs, schemaArgs } from "./loop/toolbox/schemas/schema-args.ts";
export { toolSpec } from "./loop/toolbox/tool-spec.ts";
export type { CompactionOptions } from "./loop/turn/scope.ts";
export type { Turn } from "./loop/turn/turn.ts";
export { type ModePart, modeTexts } from "./modes/mode-text.ts";
export { modeRefusal, modes } from "./modes/modes.ts";
export { AgentMeter } from "./ports/agent-meter.ts";
export * from "./ports/checkpoints.ts";
export * from "./ports/code-search.ts";
export * from "./ports/edits/buffers.ts";
export * from "./ports/edits/edit-checks.ts";
export * from "./ports/egress.ts";
export * from "./ports/embedder.ts";
export * from "./ports/fact-pages.ts";
export * from "./ports/file-list.ts";
export * from "./ports/ids.ts";
export * from "./ports/live-session.ts";
export * from "./ports/modes.ts";
export * from "./ports/provider.ts";
export * from "./ports/reranker.ts";
export * from "./ports/review-files.ts";
export * from "./ports/session-log.ts";
export * from "./ports/session-ports.ts";
export * from "./ports/session-store.ts";
export * from "./ports/skills.ts";
export * from "./ports/tool.ts";
export * from "./ports/workspace.ts";
export * from "./ports/worktrees.ts";
export type { OpenedReplay, OtherFate, RebuiltRequest, ReplayAddress, ReplayWatch } from "./replay/opened-replay.ts";
export type {
  RecordedFolder,
  RecordedOpening,
  RecordedRequest,
  RecordedTool,
} from "./replay/recorded-request.ts";
export { replayLog } from "./replay/replay-log.ts";
export { runReplay } from "./replay/replay-session.ts";
export { openSession, type SessionExtensions } from "./session/open-session.ts";
export { type Input, isInput, listIn, renamed, without } from "./tools/argument-names.ts";
export { cancelledResult, errorResult, okResult } from "./tools/tool-result.ts";
export { diffText } from "./undo/diff-text.ts";
