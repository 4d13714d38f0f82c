import type { RuleList } from "@harness/gate";
import type {
  AgentMode,
  AgentView,
  Content,
  Cost,
  Delivery,
  Delta,
  PermissionMode,
  PrefixReport,
  RestoredFile,
  RewindTarget,
  RuleView,
  SessionConfig,
  SessionState,
} from "@harness/protocol";

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
export type RewindResult = { files: RestoredFile[]; text: string };

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
  undo(): Promise<RewindResult>;
  redo(): Promise<RewindResult>;
  rewind(messageId: string, what: RewindTarget): Promise<RewindResult>;
  /** Rules and answers in force, with those of policies and settings. */
  rules(): RuleList;
  /** Takes an answer for the turn or the session back; undefined: there is none with this id. */
  revoke(ruleId: string): RuleView | undefined;
  /** Rules or settings outside of the session have changed: questions that are open are looked at anew. */
  reevaluate(): void;
  context(): ContextView | undefined;
  /** Deltas that bring a client that has all facts up to what is being streamed now. */
  snapshot(): { agentId: string; delta: Delta }[];
  agents(): AgentView[];
  /** Resolves when no agent works any more. */
  idle(): Promise<void>;
  /** Cancels what runs, waits for it to end within `graceMs`, closes the log. */
  close(graceMs: number): Promise<void>;
}
