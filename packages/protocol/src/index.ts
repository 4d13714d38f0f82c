export * from "./blocks.ts";
export * from "./cost-text.ts";
export * from "./define.ts";
export * from "./errors.ts";
export type { Applied, Live, RequestStatus } from "./live-reply.ts";
export * from "./message.ts";
export type { CredentialView } from "./methods/auth.ts";
export type { EgressEntry } from "./methods/egress.ts";
export * from "./methods/index.ts";
export { PROTOCOL_VERSION } from "./methods/lifecycle.ts";
export {
  CapabilityCard,
  type ModelAbilities,
  ModelView,
  Price,
  type ProbeOutcome,
  type ProviderView,
  type ToolMode,
  type UsageSum,
} from "./methods/models.ts";
export type { AgentView, Delivery } from "./methods/prompt.ts";
export type { SessionSummary } from "./methods/session.ts";
export type { TrustItem, TrustView } from "./methods/trust.ts";
export type { RewindTarget } from "./methods/undo.ts";
export type { Hud } from "./methods/workspace.ts";
export * from "./mode.ts";
export * from "./permission.ts";
export { rewindDetails, rewindTitle } from "./rewind-text.ts";
export type { AgentState, SessionState } from "./session.ts";
export { applyUpdate, blocksOf, emptySession, fold } from "./session.ts";
export * from "./setting-list.ts";
export * from "./settings.ts";
export type { RepairItem, ToolItem, TranscriptItem } from "./transcript.ts";
export { agentChanges, type TurnChanges, type UndoState } from "./undo-state.ts";
export * from "./updates.ts";
export * from "./usage-sum.ts";
