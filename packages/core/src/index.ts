export { addUsage } from "@harness/protocol";
export { costOf } from "./context/cost-of.ts";
export { gitRowSpan, gitSubcommands } from "./gate/command/git-rows.ts";
export { isVersionQuestion, readByTable, tablePrograms } from "./gate/command/read-only-table.ts";
export {
  foldersOfLine,
  type LinePlace,
  pathsOfLine,
  type ReadOnlyVerdict,
  readOnlyVerdict,
} from "./gate/command/read-only-verdict.ts";
export { builtinSafePrefixes, safeCommandVerdict } from "./gate/command/safe-command.ts";
export { startingPrefixes } from "./gate/command/starting-prefixes.ts";
export { exitStatus, readStrictLine } from "./gate/command/strict-line.ts";
export { versionPrograms } from "./gate/command/version-rows.ts";
export { commandDenies, commandMayDeny } from "./gate/findings/command-denies.ts";
export { type CommandFindings, findInCommand } from "./gate/findings/find-in-command.ts";
export { judgeCall } from "./gate/judge-call.ts";
export { guardedPlaces, isProtected, isSecret } from "./gate/places/path-place.ts";
export { PolicyFile, PolicyRule, policyText } from "./gate/rules/policy.ts";
export { type PolicyReading, readPolicyFile } from "./gate/rules/policy-file.ts";
export { parseRule } from "./gate/rules/rule.ts";
export { policyBook, ruleView, settingsBook } from "./gate/rules/rule-book.ts";
export { type RuleTool, ruleTools } from "./gate/rules/rule-tool.ts";
export { coreToolNames } from "./loop/toolbox/core-tools.ts";
export type { Turn } from "./loop/turn.ts";
export { type ModePart, modeTexts } from "./modes/mode-text.ts";
export { modes } from "./modes/modes.ts";
export { pathOutside } from "./path-outside.ts";
export * from "./ports/checkpoints.ts";
export * from "./ports/clock.ts";
export * from "./ports/egress.ts";
export * from "./ports/gate.ts";
export * from "./ports/live-session.ts";
export * from "./ports/modes.ts";
export * from "./ports/policies.ts";
export * from "./ports/provider.ts";
export * from "./ports/sandbox.ts";
export * from "./ports/session-log.ts";
export * from "./ports/session-store.ts";
export * from "./ports/shell-grammar.ts";
export * from "./ports/tool.ts";
export * from "./ports/workspace.ts";
export { openSession } from "./session/open-session.ts";
export type { StageName, StageValue, Step } from "./stages/stage.ts";
