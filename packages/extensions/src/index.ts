export { AgentDefinitions, type FoundAgent, type FoundAgents, type UnusedFile } from "./agents/agent-definitions.ts";
export {
  type AgentFolder,
  agentNameProblem,
  removeAgent,
  type SaveAgentProblem,
  saveAgent,
} from "./agents/save-agent.ts";
export { CommandDefinitions, type FoundCommand } from "./commands/command-definitions.ts";
export { fillTemplate } from "./commands/fill-template.ts";
export { type ListedEntry, listEntries } from "./sources/list-entries.ts";
export { ReadEntries } from "./sources/read-entries.ts";
export { type Resolved, resolveByName } from "./sources/resolve-by-name.ts";
export type { EntryKind, Source, SourceEntry, SourcePlaces } from "./sources/source.ts";
export { type Inventory, SourceInventory, type SourceTrust } from "./sources/source-inventory.ts";
export { type ExecutableTool, ExecutableTools, type ToolListing, type UnusedTool } from "./tools/executable-tools.ts";
export { type ExecutableCall, SessionExecutables } from "./tools/session-executables.ts";
export { toolName } from "./tools/tool-schema.ts";
export { ToolSchemas } from "./tools/tool-schemas.ts";
