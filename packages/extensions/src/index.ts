export { agentForm, type ReadAgent } from "./agents/agent-form.ts";
export { readAgent } from "./agents/read-agent.ts";
export {
  type AgentFolder,
  agentNameProblem,
  removeAgent,
  type SaveAgentProblem,
  saveAgent,
} from "./agents/save-agent.ts";
export { ClaudeHooks } from "./claude-hooks/claude-hooks.ts";
export { EventRunner } from "./claude-hooks/event-runner.ts";
export { type EventAnswer, NO_ANSWER } from "./claude-hooks/hook-answer.ts";
export { hookEvents } from "./claude-hooks/hook-event.ts";
export { joinedArrays, joinedExtensions, withSteps } from "./claude-hooks/joined-extensions.ts";
export { listClaudeHooks } from "./claude-hooks/list-claude-hooks.ts";
export { ClaudeHookEvents } from "./claude-hooks/session-events.ts";
export { commandForm, type ReadCommand, type SlashCommandFile, TYPED_NAME } from "./commands/command-form.ts";
export { type ExecutableCommand, ExecutableCommands } from "./commands/executable-commands.ts";
export { fillTemplate } from "./commands/fill-template.ts";
export { settledStamp } from "./follow/source-changes.ts";
export { sourceFollower } from "./follow/source-follower.ts";
export type { JsonObject } from "./hooks/contract/json-answer.ts";
export { listHooks, runView } from "./hooks/list-hooks.ts";
export { runChain } from "./hooks/outer/run-chain.ts";
export { readHookConf } from "./hooks/runs/hook-conf.ts";
export { HookLog } from "./hooks/runs/hook-log.ts";
export { type HookAnswer, HookRunner, type HookRunOptions } from "./hooks/runs/hook-runner.ts";
export { type HookRun, HookRuns } from "./hooks/runs/hook-runs.ts";
export { type HookEntry, hooksOf, SOURCES_STEPS } from "./hooks/stage-names.ts";
export { HookWork } from "./hooks/steps/hook-work.ts";
export { SessionHooks } from "./hooks/steps/session-hooks.ts";
export { type PluginKind, type PluginLanguage, writePlugin } from "./plugins/new-plugin.ts";
export { testPlugin } from "./plugins/test-plugin.ts";
export { type FoundSkill, type ReadSkill, skillForm } from "./skills/skill-form.ts";
export { skillText } from "./skills/skill-text.ts";
export { type DefinitionSet, Definitions } from "./sources/definitions.ts";
export type { Inventory } from "./sources/inventory.ts";
export { type ListedEntry, listEntries } from "./sources/list-entries.ts";
export { ReadEntries } from "./sources/read-entries.ts";
export { type ResolvedEntry, resolveByName } from "./sources/resolve-by-name.ts";
export { scopedFolders } from "./sources/scoped-folders.ts";
export {
  type EntryKind,
  notRunProblem,
  type Source,
  type SourceEntry,
  type SourceLocations,
} from "./sources/source.ts";
export { SourceInventory, type SourceTrust } from "./sources/source-inventory.ts";
export { toolName } from "./sources/tool-name.ts";
export { splitShellWords } from "./text/split-shell-words.ts";
export { type ExecutableTool, ExecutableTools, type ToolListing, type UnusedTool } from "./tools/executable-tools.ts";
export { type ExecutableCall, SessionExecutables } from "./tools/session-executables.ts";
export { ToolSchemas } from "./tools/tool-schemas.ts";
