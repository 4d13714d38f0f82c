export { bitmap } from "./bitmap.ts";
export { blackPng } from "./black-png.ts";
export { sessionArchiveContract } from "./contracts/archive-contract.ts";
export { sessionBinContract } from "./contracts/bin-contract.ts";
export {
  type FactViewRow,
  factViewContract,
  type UpdateViewRow,
  updateViewContract,
} from "./contracts/fact-view-contract.ts";
export { fileListContract, fileTree, listedFiles } from "./contracts/file-list-contract.ts";
export { sessionForkContract } from "./contracts/fork-contract.ts";
export { type ActingFact, logCauses } from "./contracts/log-causes.ts";
export { type ProviderRow, providerContract } from "./contracts/provider-contract.ts";
export { sampleFacts } from "./contracts/sample-facts.ts";
export {
  appendAll,
  got,
  idle,
  type StoreRow,
  sessionStoreContract,
  userSays,
  wholeSession,
} from "./contracts/store-contract.ts";
export * from "./contracts/talk.ts";
export { type ToolRow, toolContract } from "./contracts/tool-contract.ts";
export * from "./gate-cases/danger-cases.ts";
export type { CommandOutcome, DecisionCase, DecisionSetting } from "./gate-cases/decisions/decision-case.ts";
export { keptRuleDecisions } from "./gate-cases/decisions/kept-rule-decisions.ts";
export { modeDecisions } from "./gate-cases/decisions/mode-decisions.ts";
export { writtenRuleDecisions } from "./gate-cases/decisions/written-rule-decisions.ts";
export * from "./gate-cases/delegated-command-cases.ts";
export * from "./gate-cases/denied-command-cases.ts";
export * from "./gate-cases/hidden-command-cases.ts";
export * from "./gate-cases/indirect-read-cases.ts";
export * from "./gate-cases/proposal-cases.ts";
export * from "./gate-cases/reach-cases.ts";
export * from "./gate-cases/read-denial-cases.ts";
export * from "./gate-cases/rule-pairs.ts";
export * from "./gate-cases/secret-cases.ts";
export * from "./gate-cases/written-place-cases.ts";
export { isAlive } from "./is-alive.ts";
export * from "./memory/manual-clock.ts";
export * from "./memory/memory-checkpoints.ts";
export { MemoryCodeSearch } from "./memory/memory-code-search.ts";
export { MemoryLedger } from "./memory/memory-ledger.ts";
export * from "./memory/memory-log.ts";
export * from "./memory/memory-ports.ts";
export * from "./memory/memory-session.ts";
export * from "./memory/memory-tools.ts";
export * from "./memory/scripted-asker.ts";
export * from "./memory/scripted-provider.ts";
export { FLAVOURS, type Flavour } from "./model-server/flavours/flavour.ts";
export type { RequestRecord } from "./model-server/http/journal.ts";
export * from "./model-server/server.ts";
export { bulkPart, bulkWords } from "./model-server/story/bulk-words.ts";
export { readScenario, type ScenarioInput, type TurnInput } from "./model-server/story/scenario.ts";
export * from "./model-server/story/siblings.ts";
export * from "./model-server/story/turns.ts";
export * from "./model-server/write-broken-project.ts";
export { QdrantServer } from "./qdrant/qdrant-server.ts";
export { isWhole, numRuns, sample } from "./sample.ts";
