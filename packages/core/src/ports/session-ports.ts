import type { Clock, GatePorts, SessionRules } from "@harness/gate";
import type {
  AgentBudget,
  AgentDefinition,
  AgentMode,
  Delta,
  Fact,
  PinnedFile,
  PromptCommand,
  SessionConfig,
  Settings,
  Stop,
  StoredFact,
  ToolMode,
  Usage,
} from "@harness/protocol";
import type { AgentMeter } from "./agent-meter.ts";
import type { Checkpoints } from "./checkpoints.ts";
import type { MapFile } from "./code-search.ts";
import type { UnsavedBuffers } from "./edits/buffers.ts";
import type { EditChecks } from "./edits/edit-checks.ts";
import type { Ids } from "./ids.ts";
import type { ModePrompts } from "./modes.ts";
import type { ModelChoice, ModelRequest, SentBody } from "./provider.ts";
import type { ReviewFiles } from "./review-files.ts";
import type { LoadedSession, SessionLog } from "./session-log.ts";
import type { SessionStore } from "./session-store.ts";
import type { SkillSource } from "./skills.ts";
import type { FileStamp, LiveTools, Tool } from "./tool.ts";
import type { InstructionFile, PinnedReading, WorkspaceFacts } from "./workspace.ts";
import type { Worktrees } from "./worktrees.ts";

/** A fact (`stored`, already on disk) or a delta, in the order for clients. */
export type SessionEvent =
  | { stored: StoredFact }
  | { agentId: string; turnId?: string; delta: Delta }
  /** A fact that could not be stored: shown, without a number, and lost with the process. */
  | { agentId: string; turnId?: string; at: string; unstored: Fact };

/** Time, new ids, and a place to report bugs. */
export type Runtime = {
  clock: Clock;
  ids: Ids;
  /** Resolves when the next step of an agent may run, so that many agents do not block the rest of the program. */
  pace(): Promise<void>;
  /** Shared by all sessions. */
  agentMeter: AgentMeter;
  /** The W3C trace context for what a call reaches; absent if nothing is traced. */
  traceparentOf?(sessionId: string, toolCallId: string): string | undefined;
  /** Writes a bug or a detail to the log file; it never reaches the screen. */
  report(error: unknown, where: string): void;
};

/** The ports of the gate, without the log and the runtime that it shares with the session. */
type SessionGatePorts = Omit<GatePorts, "log" | "runtime" | "checkpoints">;

/** The workspace's files now, and as they were before turns changed them. */
type SessionFiles = {
  /** Compares the file with a stamp. Never rejects; a file that cannot be read counts as the same. */
  changedSince(path: string, seen: FileStamp): Promise<"same" | "changed" | "gone">;
  /** Texts that the person has in an editor and not on disk; undefined if there can be none. */
  buffers: UnsavedBuffers | undefined;
  /** Undefined if nothing can be undone. */
  checkpoints: Checkpoints | undefined;
  review: ReviewFiles;
  /** Undefined if subagents cannot have worktrees. */
  worktrees: Worktrees | undefined;
  /**
   * Ends whatever may still write in them: the processes that these agents have left running, including kept ones.
   * Resolves with their commands; never rejects.
   */
  endProcesses(agentIds: readonly string[], by: "agent" | "person"): Promise<string[]>;
  /** Undefined if nothing checks edits. */
  editChecks: EditChecks | undefined;
};

/** The sessions on disk, for agents that look into earlier ones. */
export type StoredSessions = Pick<SessionStore, "search" | "inspect" | "load"> & {
  /** The folder that they are in: the gate judges a search as reading it. */
  readonly folder: string;
  /** Takes known secrets out of a text. */
  hide(text: string): string;
};

/** The sources of requests to a model. */
export type RequestSources = {
  /**
   * The model for the current configuration of the session, or a sentence for people if there is none.
   * `ofNamedProvider`: the name determines the provider, so no other is tried.
   */
  chooseModel(config: SessionConfig): Promise<ModelChoice | { problem: string; ofNamedProvider?: true }>;
  /** `cwd`: the folder of an agent that does not work in the session's. */
  workspace(cwd?: string): Promise<WorkspaceFacts>;
  /** `AGENTS.md` and similar files, the outermost first, and additional named files. */
  instructionFiles(named: readonly string[]): Promise<InstructionFile[]>;
  /** Those on the way to these folders below `cwd`, the outermost first. */
  instructionsBelow(folders: readonly string[], cwd: string): Promise<(InstructionFile & { sha256: string })[]>;
  pinnedFile(file: PinnedFile): Promise<PinnedReading>;
  /** The user's own fragments of the system prompt, from the most general to the most local. */
  promptFragments(): Promise<InstructionFile[]>;
  /** The most important files of the session's folder, the best first; none if it has no index. Never rejects. */
  repositoryMap(): Promise<MapFile[]>;
  /** The user's local date, for the model; empty if it is not named. */
  today(): string;
  /** The cost of all requests of this day, in US dollars, those of other sessions and processes included; cheap. */
  spentToday(): number;
  modePrompts: ModePrompts;
  /** The named agents in effect now; cheap. */
  agents(): readonly AgentDefinition[];
  skills: SkillSource;
  /** Observes an agent's next request, for a user who inspects it; the last of several attempts counts. */
  watchSent(made: MadeRequest): (sent: SentBody) => void;
  /** Observes a request beside the conversations; the returned function is called once, at its end. */
  watchBeside(from: RequestOrigin & { purpose: SidePurpose }): (end: SideEnd) => void;
};

/** Why a request is made beside a conversation. */
export type SidePurpose = "title" | "goal" | "compaction" | "brief" | "extract" | "question";
/** How it ended; `failure`: a word. */
export type SideEnd = { usage?: Usage | undefined; stop?: Stop | undefined; failure?: string | undefined };

/** The agent that makes a request, and the model that gets it. */
export type RequestOrigin = { agentId: string; provider: string; model: string };

/** A request, and the state of its agent that it follows from. */
export type MadeRequest = RequestOrigin & {
  turnId: string;
  /** The number of the last fact that its messages follow from. */
  after: number;
  /** Another object once the agent has chosen its system text and its tools again. */
  basis: object | undefined;
  request: ModelRequest;
  toolMode: ToolMode;
  /** The tools of MCP and language servers that the agent has, described in the request or not. */
  served: readonly Tool[];
  /** The slash command that governs the turn. */
  command: PromptCommand | undefined;
};

/** All ports of a session. */
export type SessionPorts = {
  log: SessionLog;
  runtime: Runtime;
  gate: SessionGatePorts;
  tools: LiveTools;
  files: SessionFiles;
  requests: RequestSources;
  /** Undefined if agents cannot look into other sessions. */
  sessions: StoredSessions | undefined;
  /**
   * Called synchronously for every event, in order, before the call that caused it returns. Must not call the session.
   */
  emit(event: SessionEvent): void;
};

/** The limits of subagents. */
export type AgentLimits = {
  /** How deep they may be nested. */
  maxDepth: number;
  /** How many children of one agent may run at once, of a session, and of all sessions of the server. */
  maxAtOnce: number;
  maxInSession: number;
  maxInServer: number;
  /** How many a session may start between two messages of the user. */
  maxStarts: number;
  /** The limits for each agent whose definition sets none. */
  budget: AgentBudget;
};

export type SessionLimits = {
  maxTurns: number;
  maxToolCalls: number;
  /** How long a question of the agent waits for an answer; absent if without limit. */
  questionTimeoutMs?: number;
  /** Of the main agent, including those below it. With `usd` it uses no model without a known price. */
  budget?: Pick<AgentBudget, "tokens" | "usd">;
};

/** The settings that an open session follows, under their own names, with its client's overrides. */
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
  | "max_daily_usd"
  | "permission_mode"
  | "project_md_files"
  | "recall_sessions"
  | "repository_map"
  | "title_model"
  | "working_context"
> & {
  limits: SessionLimits;
  agentLimits: AgentLimits;
  /** By tool name; `*` applies to all others. */
  toolLimits: { resultChars: Readonly<Record<string, number>>; runMs: Readonly<Record<string, number>> };
};

export type SessionOptions = {
  /** The mode that a new session begins in. */
  mode: AgentMode;
  rules: SessionRules;
  /** The definition of the main agent, if it is a named one. */
  agent?: AgentDefinition;
  /** The current values: the same object as long as nothing has changed. */
  values(): SessionValues;
  /** The facts of the session's earlier life. */
  loaded?: LoadedSession;
};
