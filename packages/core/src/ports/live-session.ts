import type { RuleList } from "@harness/gate";
import type {
  ActiveSkill,
  AgentMode,
  AgentView,
  Content,
  ContextReport,
  ContextWindowSource,
  Cost,
  Delivery,
  Delta,
  Failure,
  PermissionMode,
  PinnedFile,
  PrefixReport,
  QueuedPrompt,
  RestoredFile,
  RewindTarget,
  RuleView,
  SeenFile,
  SessionConfig,
  SessionState,
  UpdateOf,
} from "@harness/protocol";
import type { DiffPage, FileDiffs } from "./checkpoints.ts";

export type PromptAnswer =
  | { disposition: "started" | "queued" | "steered"; turnId?: string; duplicate?: boolean }
  /** `unsaved`: the log cannot be written. */
  | { conflict: string; currentTurnId?: string; unsaved?: true };

/**
 * Sent to the model with the content of a message, but not shown as the person's words: attachments, whose files count
 * as read, and a slash command's texts and effects.
 */
export type PromptAttachments = Pick<QueuedPrompt, "attached" | "files" | "command">;

/** The server read only a part of a prompt: estimated tokens that were sent, and tokens that it counted. */
export type Truncation = { sentTokens: number; readTokens: number };

/** How full the context window of the main agent is, and what its requests cost. */
export type ContextView = {
  /** Tokens of the next request, as far as known. */
  usedTokens: number;
  windowTokens: number;
  windowSource: ContextWindowSource;
  /** The cost of the session so far, over all agents. */
  cost: Cost;
  /** For the last request of the main agent; absent for its first one. */
  prefix?: PrefixReport;
  /** The server read only a part of the last prompt. */
  truncated?: Truncation;
};

/** The outcome of an undo, a redo or a rewind, described for people even where nothing was done. `unsaved`: the log cannot be written. */
export type RewindResult = { files: RestoredFile[]; text: string; unsaved?: true };

/** Why nothing was compacted, as a sentence: the log cannot be written, or the model's provider failed. */
export type CompactProblem = {
  problem: string;
  unsaved?: true;
  provider?: { id: string; kind: Failure["kind"]; isPassing: boolean };
};

/** A command of the person. `share`: the model gets it and its result with the next message. */
export type ShellOptions = { command: string; share: boolean; timeoutMs?: number };

/** A change of a background process. */
export type ProcessChange = Omit<UpdateOf<"process_update">, "sessionUpdate">;

/** A text that requests begin with, such as a file, as it was read again. */
export type TextChange = { name: string; how: "new" | "changed" | "gone" };

/** The person's control of the texts that requests begin with. */
export type SessionTexts = {
  /** From now on these files are pinned; `seen`: those that are new, as they are. False: the session is closed. */
  pin(files: PinnedFile[], seen: SeenFile[]): boolean;
  /** Reads instructions, fragments, the workspace and pinned files again. Refused, with a sentence, while an agent works. */
  refresh(): Promise<{ changes: TextChange[] } | { problem: string }>;
};

/** Edits that wait for a review of the person. */
export type PendingEdits = {
  /** Resolves when everything is written that was taken before the session was last cut off. */
  readonly ready: Promise<void>;
  count(): Promise<{ changes: number; files: number }>;
  /**
   * Puts them to the person while no turn runs; a turn refuses it, with a text. `text`: what came of it; `said`: what the
   * agent has to know.
   */
  review(): Promise<{ text: string; said?: string }>;
};

/** A session at work with its agents. All methods may be called at any moment. */
export interface LiveSession {
  readonly sessionId: string;
  /** The fold of all facts and deltas so far, for reading only. It lacks the texts and pictures of results. */
  readonly state: SessionState;
  /** As configured now. */
  readonly permissionMode: PermissionMode;
  /** The agent mode now, which decides what the agents are for and which tools they have. */
  readonly mode: AgentMode;
  /** Resolves when it is known where the workspace's folders lead: a later change is noticed. Never rejects. */
  readonly rootsNoted: Promise<unknown>;
  /** Is there a prompt with this id, so that it changes nothing to send it again? */
  hasPrompt(promptId: string): boolean;
  prompt(promptId: string, content: Content[], delivery: Delivery, more?: PromptAttachments): PromptAnswer;
  /** Takes a person's message for a subagent; one that has ended refuses it with its result. */
  promptAgent(agentId: string, prompt: QueuedPrompt): PromptAnswer;
  /** Why a file that the person mentions is not read for them, as the end of a sentence; undefined: it may be. */
  mentionRefusal(path: string): Promise<string | undefined>;
  unqueue(promptId: string): boolean;
  cancel(agentId?: string): boolean;
  cancelToolCall(toolCallId: string): boolean;
  /** Records how the session begins this time: what was asked for, and modes that do not follow from the facts. */
  begin(config: SessionConfig): void;
  setConfig(config: SessionConfig, reason?: string): SessionConfig;
  setTitle(title: string): void;
  /** Has the main agent work with a skill from its next message on, or no longer. Why not, as a sentence. */
  changeSkill(skill: ActiveSkill, state: "active" | "unloaded"): { problem: string } | undefined;
  /** Shows a warning to the people who watch the session. */
  warn(title: string, description: string): void;
  compact(instructions?: string): Promise<{ tokensBefore: number; tokensAfter: number } | CompactProblem>;
  /** Undoes the changes of the last turn that changed files. Refused, with a text, while an agent works. */
  undo(): Promise<RewindResult>;
  /** The agent's file changes that were not undone, one page of them. `since`: a message of the person. */
  diff(order: DiffPage & { since?: string }): Promise<FileDiffs | { problem: string }>;
  redo(): Promise<RewindResult>;
  rewind(messageId: string, what: RewindTarget): Promise<RewindResult>;
  /** Rules and answers in force, including those from policies and settings. */
  rules(): RuleList;
  /** Revokes an answer that holds for the turn or the session; undefined: there is none with this id. */
  revoke(ruleId: string): RuleView | undefined;
  /** Follows rules and settings outside of the session that have changed, also for open permission requests. */
  reevaluate(): void;
  readonly texts: SessionTexts;
  readonly edits: PendingEdits;
  context(): ContextView | undefined;
  /**
   * The contents of the context window of an agent at work, or of the main agent; `problem`: why they cannot be listed.
   */
  contextReport(agentId?: string): Promise<ContextReport | { problem: string }>;
  /** The deltas that bring a client with all facts up to what is being streamed now. */
  snapshot(): { agentId: string; delta: Delta }[];
  agents(): AgentView[];
  /**
   * Shows, applies or drops what a subagent has changed in its worktree; `done`: false where nothing was. Applying is
   * refused, with a text, while an agent works, and can be undone.
   */
  worktree(agentId: string, action: "diff" | "apply" | "drop"): Promise<{ done: boolean; text: string }>;
  /** Runs a command of the person beside the turns; updates report what it prints and how it ends. */
  shell(options: ShellOptions): { toolCallId: string } | { problem: string; unsaved?: true };
  /** Stores what happened to a process that stays, and lets the agent that started it know. */
  processChanged(agentId: string, change: ProcessChange): void;
  /** Resolves when all agents are idle. */
  idle(): Promise<void>;
  /** Cancels what runs, waits for it to end within `graceMs`, closes the log. */
  close(graceMs: number): Promise<void>;
}
