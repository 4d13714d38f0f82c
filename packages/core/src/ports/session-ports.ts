import type { Clock, GatePorts, SessionRules } from "@harness/gate";
import type {
  AgentBudget,
  AgentDefinition,
  AgentMode,
  Delta,
  Fact,
  PinnedFile,
  SessionConfig,
  Settings,
  StoredFact,
} from "@harness/protocol";
import type { AgentMeter } from "./agent-meter.ts";
import type { Checkpoints } from "./checkpoints.ts";
import type { Ids } from "./ids.ts";
import type { ModePrompts } from "./modes.ts";
import type { ModelChoice, SentBody } from "./provider.ts";
import type { ReviewFiles } from "./review-files.ts";
import type { LoadedSession, SessionLog } from "./session-log.ts";
import type { SkillSource } from "./skills.ts";
import type { FileStamp, LiveTools } from "./tool.ts";
import type { InstructionFile, PinnedReading, WorkspaceFacts } from "./workspace.ts";
import type { Worktrees } from "./worktrees.ts";

/** A fact (`stored`, already on disk) or a delta, in the order for clients. */
export type SessionEvent =
  | { stored: StoredFact }
  | { agentId: string; turnId?: string; delta: Delta }
  /** A fact that could not be stored: shown, without a number, and lost with the process. */
  | { agentId: string; turnId?: string; at: string; unstored: Fact };

/** Time, new names, and a place for reports of bugs. */
export type Runtime = {
  clock: Clock;
  ids: Ids;
  /** Resolves when the next step of an agent may run, so that no number of agents holds up the rest of the program. */
  pace(): Promise<void>;
  /** Shared by all sessions. */
  agentMeter: AgentMeter;
  /** Writes a bug or a detail to the log file; it never reaches the screen. */
  report(error: unknown, where: string): void;
};

/** The ports of the gate, without the log and the runtime that it shares with the session. */
type SessionGatePorts = Omit<GatePorts, "log" | "runtime" | "checkpoints">;

/** The workspace's files now, and as they were before turns changed them. */
type SessionFiles = {
  /** Is it still what was seen? Never rejects; a file that cannot be looked at counts as the same. */
  changedSince(path: string, seen: FileStamp): Promise<"same" | "changed" | "gone">;
  /** Undefined: nothing can be undone. */
  checkpoints: Checkpoints | undefined;
  review: ReviewFiles;
  /** Undefined: subagents cannot have worktrees. */
  worktrees: Worktrees | undefined;
  /**
   * Ends what may still write in them: the processes that these agents have left running, also kept ones. Resolves with
   * their commands; never rejects.
   */
  endProcesses(agentIds: readonly string[], by: "agent" | "person"): Promise<string[]>;
};

/** The sources of requests to a model. */
export type RequestSources = {
  /**
   * The model for the present configuration of the session, or a sentence for people when there is none. `ofNamedProvider`: the
   * name says whose it is, so that no other provider is meant.
   */
  chooseModel(config: SessionConfig): Promise<ModelChoice | { problem: string; ofNamedProvider?: true }>;
  /** `cwd`: the folder of an agent that does not work in the session's. */
  workspace(cwd?: string): Promise<WorkspaceFacts>;
  /** `AGENTS.md` and kin, the outermost first, with files that are named besides. */
  instructionFiles(named: readonly string[]): Promise<InstructionFile[]>;
  /** Those on the way to these folders below `cwd`, the outermost first. */
  instructionsBelow(folders: readonly string[], cwd: string): Promise<(InstructionFile & { sha256: string })[]>;
  pinnedFile(file: PinnedFile): Promise<PinnedReading>;
  /** The fragments of the system text that people bring along, from the most general to the most local. */
  promptFragments(): Promise<InstructionFile[]>;
  /** The date where the person is, for the model; empty: it is not named. */
  today(): string;
  modePrompts: ModePrompts;
  /** The named agents that count now; costs little. */
  agents(): readonly AgentDefinition[];
  skills: SkillSource;
  /** Sees what an agent's next request sends, for a person who looks; the last of several times counts. */
  watchSent(from: RequestOrigin): (sent: SentBody) => void;
};

/** The agent that makes a request, and the model that gets it. */
export type RequestOrigin = { agentId: string; provider: string; model: string };

/** All ports of a session. */
export type SessionPorts = {
  log: SessionLog;
  runtime: Runtime;
  gate: SessionGatePorts;
  tools: LiveTools;
  files: SessionFiles;
  requests: RequestSources;
  /** Takes every event synchronously, in order, before the call that caused it returns. Must not call the session. */
  emit(event: SessionEvent): void;
};

/** The limits of subagents. */
export type AgentLimits = {
  /** How deep they may be nested. */
  maxDepth: number;
  /** How many of one agent may be at work, of a session, and of all sessions of the server. */
  maxAtOnce: number;
  maxInSession: number;
  maxInServer: number;
  /** How many a session may start between two messages of the person. */
  maxStarts: number;
  /** The limits for each agent whose definition sets none. */
  budget: AgentBudget;
};

export type SessionLimits = {
  maxTurns: number;
  maxToolCalls: number;
  /** How long a question of the agent waits for an answer; absent: without limit. */
  questionTimeoutMs?: number;
};

/** The settings that an open session follows, by their own names, with what its client asked for in place of them. */
export type SessionValues = Pick<
  Settings,
  | "auto_compact_enabled"
  | "compact_model"
  | "compact_strategy"
  | "compact_target"
  | "compact_trigger"
  | "custom_instructions"
  | "extract_files_above"
  | "fallback_models"
  | "permission_mode"
  | "project_md_files"
  | "working_context"
> & {
  limits: SessionLimits;
  agentLimits: AgentLimits;
  /** By the names of tools; `*` stands for the others. */
  toolLimits: { resultChars: Readonly<Record<string, number>>; runMs: Readonly<Record<string, number>> };
};

export type SessionOptions = {
  /** The mode that a new session begins in. */
  mode: AgentMode;
  rules: SessionRules;
  /** The definition of the main agent, where it is a named one. */
  agent?: AgentDefinition;
  /** The values now: the same object for as long as nothing has changed. */
  values(): SessionValues;
  /** The facts of the session's earlier life. */
  loaded?: LoadedSession;
};
