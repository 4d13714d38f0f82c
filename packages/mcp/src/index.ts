export { withoutServer, withServer } from "./config/edit-servers.ts";
export { mergeServers } from "./config/merge-servers.ts";
export { readServerSetting, readServers } from "./config/read-servers.ts";
export type { McpOAuthConfig, McpServerConfig } from "./config/server-config.ts";
export type { McpCallOptions, McpCompletion, McpProgress } from "./connection/connection.ts";
export type {
  McpPrompt,
  McpResource,
  McpResourceTemplate,
  McpTool,
} from "./connection/server-lists.ts";
export { type McpChange, McpPool } from "./pool/mcp-pool.ts";
export type { McpServerState, McpServerView } from "./pool/server-view.ts";
export type { McpAnswer, McpAsk, McpPeople, McpQuestion, McpSample, McpSampled, McpSampling } from "./ports/people.ts";
export type { McpFetch, McpLog, McpLoginStore, McpPorts, McpStore } from "./ports/pool-ports.ts";
export type { McpPromptMessage, McpPromptText, McpResourcePiece } from "./results/prompt-text.ts";
export { failedOutcome, type McpOutcome } from "./results/tool-outcome.ts";
export { mcpConfiguration } from "./tools/mcp-effect.ts";
export { mcpTool } from "./tools/mcp-tool.ts";
export { resourceTools } from "./tools/resource-tools.ts";
export { mcpToolNames } from "./tools/tool-names.ts";
export { type GuardedFetch, guardedFetch } from "./transports/guarded-fetch.ts";
