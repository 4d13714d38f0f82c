import type {
  Asker,
  AuditLog,
  Clock,
  GateSettings,
  Paths,
  Policies,
  RuleList,
  SandboxView,
  SessionRules,
  ShellGrammar,
} from "@harness/gate";
import type {
  AgentMode,
  AgentView,
  Content,
  Cost,
  Delivery,
  Delta,
  Fact,
  PermissionMode,
  PrefixReport,
  RestoredFile,
  RewindTarget,
  RuleView,
  SessionConfig,
  SessionState,
  StoredFact,
} from "@harness/protocol";
import type { Checkpoints } from "./checkpoints.ts";
import type { Ids } from "./ids.ts";
import type { ModePrompts } from "./modes.ts";
import type { ModelChoice } from "./provider.ts";
import type { LoadedSession, SessionLog } from "./session-log.ts";
import type { FileLedger, ToolTable } from "./tool.ts";
import type { InstructionFile, WorkspaceFacts } from "./workspace.ts";

/** A fact (`stored`, on disk already) or a delta, as it goes out to clients, in order. */
export type SessionEvent =
  | { stored: StoredFact }
  | { agentId: string; turnId?: string; delta: Delta }
  /** A fact that could not be stored: shown, without a number, and lost with the process. */
  | { agentId: string; turnId?: string; at: string; unstored: Fact };

export type SessionLimits = {
  maxTurns: number;
  maxToolCalls: number;
  toolTimeoutMs: number;
  /** How long a question of the agent waits for an answer; absent: as long as it takes. */
  questionTimeoutMs?: number;
};

/** All that a session needs from outside. */
export type SessionPorts = {
  log: SessionLog;
  clock: Clock;
  ids: Ids;
  asker: Asker;
  paths: Paths;
  policies: Policies;
  audit: AuditLog;
  /** Absent: commands are read by their text alone, and asked about more often. */
  grammar?: ShellGrammar;
  /** Absent: commands run as they are. */
  sandbox?: SandboxView;
  /** Absent: nothing can be undone. */
  checkpoints?: Checkpoints;
  /** Absent: the built-in words. */
  modePrompts?: ModePrompts;
  /** The settings of the gate as they are now; a change counts from the next call on. */
  gateSettings(): GateSettings;
  tools: ToolTable;
  newLedger(): FileLedger;
  /** The model for the session's present configuration; a sentence for people when there is none. */
  chooseModel(config: SessionConfig): Promise<ModelChoice | { problem: string }>;
  workspace(): Promise<WorkspaceFacts>;
  instructionFiles(): Promise<InstructionFile[]>;
  /** Called synchronously, in order, before the call that caused it returns. Must not throw or call the session. */
  emit(event: SessionEvent): void;
  /** A bug or a detail for the log file; never for the screen. */
  report(error: unknown, where: string): void;
};

export type SessionOptions = {
  permissionMode: PermissionMode;
  mode: AgentMode;
  rules: SessionRules;
  limits: SessionLimits;
  customInstructions: string;
  autoCompact: boolean;
  loaded?: LoadedSession;
};

export type PromptAnswer =
  | { disposition: "started" | "queued" | "steered"; turnId?: string; duplicate?: boolean }
  /** `unsaved`: the log cannot be written. */
  | { conflict: string; currentTurnId?: string; unsaved?: true };

/** The server read only a part of a prompt: what was sent, as estimated, and what it counted. */
export type Truncation = { sentTokens: number; readTokens: number };

/** How full the main agent's window is, and what its requests cost. */
export type ContextView = {
  /** Of the next request, as far as known. */
  usedTokens: number;
  windowTokens: number;
  windowSource: string;
  /** Of the session so far, all agents. */
  cost: Cost;
  /** Of the last request of the main agent; absent: it was the first, or there was none. */
  prefix?: PrefixReport;
  /** The server read only a part of the last prompt. */
  truncated?: Truncation;
};

/** What came of an undo, a redo or a rewind: in sentences for people, also where nothing was done. */
export type Rewound = { files: RestoredFile[]; text: string };

/** A session with its agents, at work. All methods are safe at any moment. */
export interface LiveSession {
  readonly sessionId: string;
  /** The fold of all facts and deltas so far; read only. */
  readonly state: SessionState;
  /** As configured now. */
  readonly permissionMode: PermissionMode;
  /** As it is now: what the agents are there for, and so which tools they have. */
  readonly mode: AgentMode;
  prompt(promptId: string, content: Content[], delivery: Delivery): PromptAnswer;
  unqueue(promptId: string): boolean;
  cancel(agentId?: string): boolean;
  cancelToolCall(toolCallId: string): boolean;
  setConfig(config: SessionConfig, reason?: string): SessionConfig;
  setTitle(title: string): void;
  compact(instructions?: string): Promise<{ tokensBefore: number; tokensAfter: number } | { problem: string }>;
  /** Takes back what the last turn that changed files has changed. Refused, in words, while an agent works. */
  undo(): Promise<Rewound>;
  redo(): Promise<Rewound>;
  rewind(messageId: string, what: RewindTarget): Promise<Rewound>;
  /** Rules and answers in force, with those of policies and settings. */
  rules(): RuleList;
  /** Takes an answer for the turn or the session back; undefined: there is none with this id. */
  revoke(ruleId: string): RuleView | undefined;
  /** Rules or settings outside of the session have changed: questions that are open are looked at anew. */
  judgeAnew(): void;
  context(): ContextView | undefined;
  /** Deltas that bring a client that has all facts up to what is being streamed now. */
  snapshot(): { agentId: string; delta: Delta }[];
  agents(): AgentView[];
  /** Resolves when no agent works any more. */
  idle(): Promise<void>;
  /** Cancels what runs, waits for it to end within `graceMs`, closes the log. */
  close(graceMs: number): Promise<void>;
}
