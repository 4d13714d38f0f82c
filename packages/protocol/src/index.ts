export {
  agentModeOf,
  agentModes,
  type ColourRole,
  type ExportFormatName,
  effortOf,
  efforts,
  exportEndings,
  exportFormats,
  type HudPartName,
  hookStages,
  type ImportSourceName,
  importSources,
  PLAN,
  parsePermissionMode,
  permissionModes,
  turnStages,
} from "./choices.ts";
export type { AgentState, InboxMessage } from "./fold/agent-state.ts";
export { conversationText } from "./fold/conversation-text.ts";
export type { FactView, UpdateView } from "./fold/fact-view.ts";
export { type GoalState, goalNotice } from "./fold/goal-state.ts";
export type { DeltaOutcome, LiveReply, RequestStatus } from "./fold/live-reply.ts";
export { rewoundFacts } from "./fold/rewound-facts.ts";
export {
  digestView,
  newSessionDigest,
  notedKinds,
  noteTime,
  type SessionDigest,
  summaryOf,
} from "./fold/session-digest.ts";
export type { SessionState } from "./fold/session-state.ts";
export { applyUpdate, emptySession, fold, stateView } from "./fold/session-state.ts";
export type {
  EditReview,
  ProcessItem,
  RepairItem,
  ToolItem,
  TranscriptItem,
  TurnItem,
} from "./fold/transcript-item.ts";
export {
  sumAgentChanges,
  type TurnChanges,
  type TurnStretch,
  turnEnd,
  turnStretches,
  type UndoState,
} from "./fold/undo-state.ts";
export type { AgentView, NamedAgentView, UnusedAgentFile } from "./methods/agents.ts";
export type { CredentialView } from "./methods/auth.ts";
export type { IndexedFolder, IndexProgress, SearchModelRole } from "./methods/code/code-index.ts";
export {
  ChunkKind,
  type CodeAnswer,
  type CodeHit,
  type CodeQuery,
  type CodeSymbol,
  type IndexState,
} from "./methods/code/code-search.ts";
export type { PastItem } from "./methods/context.ts";
export { MAX_BUFFER_CHARS } from "./methods/editor/buffers.ts";
export type { EgressEntry } from "./methods/egress.ts";
export type { HookView } from "./methods/extensions/hooks.ts";
export type { McpServerInfo } from "./methods/extensions/mcp.ts";
export type { ListedTool, PluginCheck } from "./methods/extensions/plugins.ts";
export type { ExtensionEntry } from "./methods/extensions/sources.ts";
export * from "./methods/index.ts";
export { type HeldSession, PROTOCOL_VERSION } from "./methods/lifecycle.ts";
export type { LoadedImage, MentionPreview } from "./methods/messages/images.ts";
export type { Delivery } from "./methods/messages/prompt.ts";
export { StoredPrompt } from "./methods/messages/typed-prompts.ts";
export {
  CapabilityRecord,
  FoundServer,
  type ModelAbilities,
  ModelView,
  Price,
  type ProbeOutcome,
  type ProviderView,
  type ToolMode,
  type UsageSum,
  WaitingServer,
} from "./methods/models.ts";
export { SessionParent, type SessionSummary } from "./methods/session.ts";
export type { Leftover } from "./methods/sessions/import.ts";
export type { LiveSessionView } from "./methods/sessions/live.ts";
export type { ReplayDifference } from "./methods/sessions/replay.ts";
export type { SessionHit } from "./methods/sessions/search.ts";
export * from "./methods/table.ts";
export type { ProviderSecrets, TrustItem, TrustView } from "./methods/trust.ts";
export type { RewindTarget } from "./methods/undo.ts";
export type { Hud } from "./methods/workspace.ts";
export * from "./text/index.ts";
export * from "./vocabulary/agent-activity.ts";
export * from "./vocabulary/agent-definition.ts";
export * from "./vocabulary/agent-mode.ts";
export * from "./vocabulary/background-process.ts";
export * from "./vocabulary/blocks.ts";
export * from "./vocabulary/context-report.ts";
export * from "./vocabulary/errors.ts";
export { Shortening } from "./vocabulary/facts/context-change.ts";
export { FolderLocation } from "./vocabulary/facts/folder-location.ts";
export { type GoalBudget, MAX_GOAL_LENGTH } from "./vocabulary/facts/goal-facts.ts";
export { PromptCommand, QueuedPrompt } from "./vocabulary/facts/queued-prompt.ts";
export { StagedFile } from "./vocabulary/facts/staged-file.ts";
export * from "./vocabulary/failure.ts";
export { AgentWorktree } from "./vocabulary/files/agent-worktree.ts";
export { FileChange, FileDiff, RestoredFile } from "./vocabulary/files/file-changes.ts";
export { imageTypeOf, isSendableImage } from "./vocabulary/files/image-type.ts";
export { PinnedFile } from "./vocabulary/files/pinned-file.ts";
export * from "./vocabulary/files/seen-file.ts";
export * from "./vocabulary/local-time.ts";
export * from "./vocabulary/message.ts";
export * from "./vocabulary/permission.ts";
export * from "./vocabulary/request-report.ts";
export * from "./vocabulary/setting-list.ts";
export { addressSettingOf, addressSettings, addressVariables } from "./vocabulary/setting-rows/address-settings.ts";
export * from "./vocabulary/setting-rows/setting-row.ts";
export * from "./vocabulary/setting-view.ts";
export * from "./vocabulary/settings.ts";
export * from "./vocabulary/skill.ts";
export * from "./vocabulary/todo.ts";
export * from "./vocabulary/tool-outcome.ts";
export * from "./vocabulary/updates.ts";
export * from "./vocabulary/usage-sum.ts";
