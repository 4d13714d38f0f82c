export type { SessionQuery, SessionStore, StoreProblem } from "@harness/core";
export { type AuditFile, openAudit } from "./audit/open-audit.ts";
export { type CapabilityStore, openCapabilities } from "./capabilities/capability-store.ts";
export { type MovingCheckpoints, packCheckpoints, takeCheckpoints } from "./checkpoints/moving/move-checkpoints.ts";
export { type CheckpointOptions, openCheckpoints } from "./checkpoints/open-checkpoints.ts";
export { closeConfigFolder } from "./close-config-folder.ts";
export { type ConfigPaths, configPathsOf } from "./config-paths.ts";
export type { Credential } from "./credentials/credential.ts";
export type {
  CredentialSummary,
  Credentials,
  FoundCredential,
  LockedCredential,
  NewCredential,
} from "./credentials/credentials.ts";
export { isProviderId, openCredentials } from "./credentials/open-credentials.ts";
export { HintRecord } from "./hints/hint-record.ts";
export { KeyFile } from "./keys/key-file.ts";
export { type LogFile, type LogLevel, openLogFile } from "./log-file.ts";
export { type McpLoginFile, openMcpLogins } from "./mcp/mcp-logins.ts";
export { type McpStoreFile, openMcpStore } from "./mcp/mcp-store.ts";
export { openPolicies, type PolicyStore } from "./policies/open-policies.ts";
export { type PolicyPaths, projectOf } from "./policies/policy-paths.ts";
export { openPromptLog, type PromptLog } from "./prompts/prompt-log.ts";
export { KnownSecrets } from "./secrets/known-secrets.ts";
export { masked } from "./secrets/masked.ts";
export { createRedactor, type Redactor, type Secret, secretsIn } from "./secrets/redactor.ts";
export type { TakeCheckpoints } from "./sessions/formats/bundle/checkpoint-reader.ts";
export { importBundle } from "./sessions/formats/bundle/import-bundle.ts";
export { readOwnSession } from "./sessions/formats/bundle/own-session.ts";
export { type Bundle, BundleError, readBundle } from "./sessions/formats/bundle/read-bundle.ts";
export { exportWriters } from "./sessions/formats/export/export-formats.ts";
export type { ExportSource } from "./sessions/formats/export/export-source.ts";
export { describeImport, findImports, importPlaces } from "./sessions/formats/import/find-imports.ts";
export { leftText } from "./sessions/formats/import/import-draft.ts";
export { importFrom } from "./sessions/formats/import/import-formats.ts";
export { writeImport } from "./sessions/formats/import/write-import.ts";
export {
  RequestFile,
  type RequestLines,
  readRequestFile,
  requestFilePath,
  textHash,
} from "./sessions/requests/request-file.ts";
export { openStore, type StoreOptions } from "./sessions/session-store.ts";
export type { SessionsLocation } from "./sessions/sessions-folder.ts";
export type { SessionsLocations } from "./sessions/sessions-folder-set.ts";
export { type LoadedSettings, loadSettings, type SettingsRequest } from "./settings/load-settings.ts";
export { type SavedSettings, type SaveProblem, type SettingEdit, saveSettings } from "./settings/save-settings.ts";
export { checkSetting, parseSetting } from "./settings/setting-value.ts";
export { type LastGood, settingsFile, settingsFiles, stateOfFiles } from "./settings/settings-source.ts";
export { unreadSettings } from "./settings/unread-settings.ts";
export { openSpendLedger, type Spend, type SpendLedger } from "./spend/spend-ledger.ts";
export type { AlteredReach } from "./trust/altered-files.ts";
export type { SecretGrant, TrustEntry } from "./trust/trust-decisions.ts";
export { trustKind, withoutFolder } from "./trust/trust-kind.ts";
export { isFileOf, type TrustChange, type TrustContents, TrustStore, trustChanges } from "./trust/trust-store.ts";
export { type ForkWorktree, makeForkWorktree, namedWorktree } from "./worktrees/fork-worktree.ts";
export { openWorktrees, worktreeRemoval } from "./worktrees/open-worktrees.ts";
