export type { McpOAuthConfig, McpServerConfig } from "./config/server-config.ts";
export type { CallOptions, McpCompletion, McpProgress } from "./connection/connection.ts";
export type { McpAnswer, McpAsk, McpPeople, McpQuestion, McpSampling } from "./connection/people.ts";
export type {
  McpPrompt,
  McpResource,
  McpResourceTemplate,
  McpTool,
} from "./connection/server-lists.ts";
export type { McpLog } from "./connection/server-log.ts";
export { type McpChange, McpPool } from "./pool/mcp-pool.ts";
export type { McpMemory, McpPorts } from "./pool/pool-ports.ts";
export type { McpServerState, McpServerView } from "./pool/server-view.ts";
export type { McpPromptMessage, McpPromptText, McpResourcePiece } from "./results/prompt-text.ts";
export { failedOutcome, type McpOutcome } from "./results/tool-outcome.ts";
export { type GuardedFetch, guardedFetch, type McpFetch } from "./transports/guarded-fetch.ts";
