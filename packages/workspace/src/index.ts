export { type FoundSkill, fillTemplate, type SlashCommandFile, skillText, TYPED_NAME } from "@harness/extensions";
export type { CodeSearchEngine, IndexGroup, IndexProblem } from "@harness/search";
export {
  parseSetting,
  RequestFile,
  type RequestLines,
  readRequestFile,
  requestFilePath,
  type SettingEdit,
  textHash,
} from "@harness/storage";
export { endOrphans, filesNamed } from "@harness/tools";
export { type Bootstrap, type BootstrapOptions, bootstrap } from "./bootstrap.ts";
export { type CollectionEdit, withCollection, withoutCollection } from "./collections/edit-collections.ts";
export { PendingLogins } from "./credentials/pending-logins.ts";
export { ProviderCredentials } from "./credentials/provider-credentials.ts";
export { EgressGuard } from "./egress/egress-guard.ts";
export { commitsIn, folderPlace } from "./files/folder-place.ts";
export type { GitCounts, GitSilence } from "./files/git-diff-counts.ts";
export { namedInGit } from "./files/named-in-git.ts";
export { requireDirectory } from "./files/require-directory.ts";
export { worktreesFolder } from "./files/workspace-files.ts";
export { HookHost } from "./hooks/hook-host.ts";
export { hookLines, whyLines } from "./hooks/hook-text.ts";
export { readPinnedFile } from "./instructions/pinned-file.ts";
export { instructionNames } from "./instructions/read-instructions.ts";
export { findLeftovers, type Leftovers, type OwnThings } from "./leftovers/find-leftovers.ts";
export { ImportRecord } from "./leftovers/import-record.ts";
export type { FoundLeftover } from "./leftovers/leftover.ts";
export { completeMcp } from "./mcp/complete-mcp.ts";
export { addServer, type McpFileLocations, removeServer } from "./mcp/mcp-file.ts";
export { mcpInfo } from "./mcp/mcp-info.ts";
export { McpLogs } from "./mcp/mcp-logs.ts";
export { type McpAsk, type McpPrompt, McpServers } from "./mcp/mcp-servers.ts";
export { mentionedResources, namedResources } from "./mcp/mentioned-resource.ts";
export { promptArguments } from "./mcp/prompt-arguments.ts";
export { attachMentions } from "./mentions/attach-mentions.ts";
export { drawImage } from "./mentions/draw-image.ts";
export { loadImage } from "./mentions/load-image.ts";
export { type PreviewMentionOptions, previewMentions } from "./mentions/preview-mentions.ts";
export { EmbedderCatalog, type EmbedderDescription } from "./models/embedder-catalog.ts";
export { ModelCatalog } from "./models/model-catalog.ts";
export { openModels } from "./models/open-models.ts";
export { RerankerCatalog } from "./models/reranker-catalog.ts";
export { SpendRecorder } from "./models/spend-recorder.ts";
export { openWorkspaces } from "./open-workspaces.ts";
export { createPlugin, tryPlugin } from "./plugins/project-plugins.ts";
export { PromptFolder, promptsOf } from "./prompts/prompt-folder.ts";
export { type ExportRequest, exportToFile, exportToText, formatOfFile } from "./sessions/export-session.ts";
export { importSession } from "./sessions/import-session.ts";
export { importableSessions } from "./sessions/importable-sessions.ts";
export { SessionLocations } from "./sessions/session-locations.ts";
export { type SessionDeps, type SessionResources, sessionResources } from "./sessions/session-resources.ts";
export { FolderSettings } from "./settings/folder-settings.ts";
export { KeysWatch } from "./settings/keys-watch.ts";
export { SettingsStore } from "./settings/settings-store.ts";
export { activeOf, FolderSkills } from "./skills/folder-skills.ts";
export { FairScheduler } from "./system/fair-scheduler.ts";
export { nodeClock } from "./system/node-clock.ts";
export { randomIds } from "./system/random-ids.ts";
export { realPaths } from "./system/real-paths.ts";
export { systemRefusal } from "./system/system-refusal.ts";
export { EnvironmentWarnings } from "./tools/passed-variables.ts";
export { blankOrRemove } from "./tools/redact-results.ts";
export { SessionSandboxes } from "./tools/session-sandbox.ts";
export { SecretDecisions } from "./trust/secret-decisions.ts";
export type { Workspace } from "./workspace.ts";
export { Workspaces } from "./workspaces.ts";
