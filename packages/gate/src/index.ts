export { type Approval, runsOnlyReaders } from "./approval.ts";
export { needsTerminal } from "./command/needs-terminal.ts";
export { placesRead } from "./command/places-read.ts";
export { checkPrefix, isReadOnlyCommand, readOnlyPrefixes } from "./command/prefix-list.ts";
export {
  foldersOfLine,
  type LineOptions,
  pathsOfLine,
  type ReadOnlyVerdict,
  readOnlyVerdict,
} from "./command/read-only-verdict.ts";
export { filesRun, type RunFileContext, scriptsOf } from "./command/run-files.ts";
export { safeCommandVerdict } from "./command/safe-command.ts";
export { cancellable, withGrace } from "./concurrency/cancellable.ts";
export { Slots } from "./concurrency/slots.ts";
export { deciderPhrase } from "./describe-decider.ts";
export { evaluateCall } from "./evaluate-call.ts";
export { commandDenies, commandMayDeny } from "./findings/command-denies.ts";
export { type CommandFindings, findInCommand } from "./findings/find-in-command.ts";
export type { CallPreview, GateCall, Requester, ToolCategory } from "./gate-call.ts";
export { Gatekeeper } from "./gatekeeper.ts";
export type { GuardedWrite } from "./guarded-writes.ts";
export type { GateHook } from "./hooks/gate-hook.ts";
export type { PositionSet } from "./patterns/known-moves.ts";
export { anyOfName, WildcardPattern, type WildPart } from "./patterns/wildcard.ts";
export { pathIssue } from "./places/path-limits.ts";
export { pathOutside } from "./places/path-outside.ts";
export { isWithin } from "./places/path-place.ts";
export { withPaths } from "./places/path-reads.ts";
export { isProtected, protectedRows, systemPlaces } from "./places/protected-places.ts";
export { mayMakeRepository } from "./places/repository-part.ts";
export {
  inAnyCase,
  isSecret,
  secretCandidates,
  secretFileNames,
  secretGlobs,
  secretPlaceNames,
  secretsOfHome,
} from "./places/secret-files.ts";
export type { Asker, ElicitationRequest, QuestionEnd } from "./ports/asker.ts";
export type { Clock } from "./ports/clock.ts";
export type { GatePorts } from "./ports/gate-ports.ts";
export type { GateSettings, SessionRules } from "./ports/gate-settings.ts";
export type { KnownPaths, Paths } from "./ports/paths.ts";
export type { AuditDecision, AuditEnd, AuditLog, KeptRule, Policies, PolicySet, RuleList } from "./ports/policies.ts";
export { PolicyFile, PolicyRule, policyIdentity, policyMeaning, policyText } from "./ports/policy.ts";
export type { GitAliases, ObjectKind, Repositories } from "./ports/repositories.ts";
export type { SandboxView } from "./ports/sandbox.ts";
export type {
  ReadingTime,
  ShellCommand,
  ShellGrammar,
  ShellReading,
  ShellRedirect,
  ShellWord,
} from "./ports/shell-grammar.ts";
export { knownGitSubcommands } from "./programs/git/reading.ts";
export type { CommandToRun, RunSystem } from "./programs/program.ts";
export { builtinKind, commandToRun, isVersionQuestion, programsWith, readByTable } from "./programs/programs.ts";
export { mcpToolsNamed } from "./rules/mcp-pattern.ts";
export { type PolicyReading, readPolicyFile } from "./rules/policy-file.ts";
export { parseRule } from "./rules/rule.ts";
export { policyRules, ruleView, runRules, settingRules } from "./rules/rule-set.ts";
export type { RuleTool } from "./rules/rule-tool.ts";
export { readsSecrets } from "./secret-reads.ts";
export type { CheckedCommand, CheckedLine, CheckedWord } from "./shell/checked-line.ts";
export { exitStatus, readStrictLine } from "./shell/strict-line.ts";
