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
  GoalBudget,
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
 * Sent to the model with a message, but not shown as the user's words: attachments, whose files count as read, and a
 * slash command's texts and effects.
 */
export type PromptAttachments = Pick<QueuedPrompt, "attached" | "files" | "command">;

/** The server read only part of a prompt: estimated tokens that were sent, and tokens that it counted. */
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
  /** The server read only part of the last prompt. */
  truncated?: Truncation;
};

/**
 * The outcome of an undo, a redo or a rewind, described for people even if nothing was done. `unsaved`: the log cannot
 * be written.
 */
export type RewindResult = { files: RestoredFile[]; text: string; unsaved?: true };

/** Why nothing was compacted, as a sentence: the log cannot be written, or the model's provider failed. */
export type CompactProblem = {
  problem: string;
  unsaved?: true;
  provider?: { id: string; kind: Failure["kind"]; isPassing: boolean };
};

/** A command of the user. `share`: the model gets it and its result with the next message. */
export type ShellOptions = { command: string; share: boolean; timeoutMs?: number };

/** A change of a background process. */
export type ProcessChange = Omit<UpdateOf<"process_update">, "sessionUpdate">;

/** A text at the beginning of requests, such as a file, that was read again. */
export type TextChange = { name: string; how: "new" | "changed" | "gone" };

/** The user's control over the texts at the beginning of requests. */
export type SessionTexts = {
  /**
   * Pins these files from now on; `seen`: the new ones in their current state. Returns false if the session is closed.
   */
  pin(files: PinnedFile[], seen: SeenFile[]): boolean;
  /**
   * Reads instructions, fragments, the workspace and pinned files again. Refused, with a sentence, while an agent
   * works.
   */
  refresh(): Promise<{ changes: TextChange[] } | { problem: string }>;
};

/** Edits that wait for the user's review. */
export type PendingEdits = {
  /** Resolves when everything is written that was accepted before the session was last cut off. */
  readonly ready: Promise<void>;
  count(): Promise<{ changes: number; files: number }>;
  /**
   * Shows them to the user while no turn runs; during a turn it refuses, with a text. `text`: the outcome; `said`: what
   * the agent has to know.
   */
  review(): Promise<{ text: string; said?: string }>;
};

/** `resume`: a paused goal, with its whole budget again. */
export type GoalChange = { goal: string; budget: GoalBudget } | "resume" | "pause" | "clear";

/** `none`: no name is due, or no model may be asked for one. */
export type NameOutcome = "named" | "failed" | "none";

/** An open session with its agents. All methods may be called at any moment. */
export interface LiveSession {
  readonly sessionId: string;
  /** The fold of all facts and deltas so far, for reading only. It lacks the texts and images of results. */
  readonly state: SessionState;
  /** As configured now. */
  readonly permissionMode: PermissionMode;
  /** The current agent mode, which decides what the agents are for and which tools they have. */
  readonly mode: AgentMode;
  /**
   * Resolves when the real paths of the workspace's folders are known, so that later changes are noticed. Never
   * rejects.
   */
  readonly rootsNoted: Promise<unknown>;
  /** True if there is a prompt with this id, so that sending it again changes nothing. */
  hasPrompt(promptId: string): boolean;
  prompt(promptId: string, content: Content[], delivery: Delivery, more?: PromptAttachments): PromptAnswer;
  /** Takes a user's message for a subagent; one that has ended refuses it with its result. */
  promptAgent(agentId: string, prompt: QueuedPrompt): PromptAnswer;
  /** Why a file that the user mentions is not read for them, as the end of a sentence; undefined if it may be. */
  mentionRefusal(path: string, confirmed?: { allowsOutside: boolean }): Promise<string | undefined>;
  /** Takes in what people have changed in the session's files, before its history is read; not while an agent works. */
  takeFiles(): void;
  unqueue(promptId: string): boolean;
  cancel(agentId?: string): boolean;
  cancelToolCall(toolCallId: string): boolean;
  /**
   * Records how the session begins this time: the requested configuration, and modes that do not follow from the facts.
   */
  begin(config: SessionConfig): void;
  setConfig(config: SessionConfig, reason?: string): SessionConfig;
  setTitle(title: string): void;
  /**
   * Has the model name the session if it should: after its first message and after its eighth, unless a person named
   * it. Changes nothing else, and never rejects.
   */
  nameByModel(signal: AbortSignal): Promise<NameOutcome>;
  /** Sets a goal, takes up a paused one, pauses or drops it. Returns why it cannot, as a sentence. */
  changeGoal(change: GoalChange): { problem: string; unsaved?: true } | undefined;
  /** Puts it into the archive, or takes it out. */
  setArchived(how: { archived: boolean }): void;
  /** Makes the main agent use a skill from its next message on, or no longer. Returns why it cannot, as a sentence. */
  changeSkill(skill: ActiveSkill, state: "active" | "unloaded"): { problem: string } | undefined;
  /** Shows a warning to the session's clients. */
  warn(title: string, description: string): void;
  /** Has the model write a brief of the conversation for a new session, whose purpose this is; nothing changes here. */
  brief(purpose: string): Promise<{ text: string } | CompactProblem>;
  compact(instructions?: string): Promise<{ tokensBefore: number; tokensAfter: number } | CompactProblem>;
  /** Undoes the changes of the last turn that changed files. Refused, with a text, while an agent works. */
  undo(): Promise<RewindResult>;
  /** One page of the agent's file changes that were not undone. `since`: a message of the user. */
  diff(order: DiffPage & { since?: string }): Promise<FileDiffs | { problem: string }>;
  redo(): Promise<RewindResult>;
  rewind(messageId: string, what: RewindTarget): Promise<RewindResult>;
  /** Rules and answers in force, including those from policies and settings. */
  rules(): RuleList;
  /** Revokes an answer that holds for the turn or the session; undefined if there is none with this id. */
  revoke(ruleId: string): RuleView | undefined;
  /** Applies changed rules and settings from outside the session, also to open permission requests. */
  reevaluate(): void;
  readonly texts: SessionTexts;
  readonly edits: PendingEdits;
  context(): ContextView | undefined;
  /**
   * The contents of the context window of a running agent, or of the main agent; `problem`: why they cannot be listed.
   */
  contextReport(agentId?: string): Promise<ContextReport | { problem: string }>;
  /** The deltas that bring a client with all facts up to date with what is being streamed. */
  snapshot(): { agentId: string; delta: Delta }[];
  agents(): AgentView[];
  /**
   * Shows, applies or drops what a subagent has changed in its worktree; `done`: false if there were no changes.
   * Applying is refused, with a text, while an agent works, and can be undone.
   */
  worktree(agentId: string, action: "diff" | "apply" | "drop"): Promise<{ done: boolean; text: string }>;
  /** Runs a command of the user beside the turns; updates report its output and how it ends. */
  shell(options: ShellOptions): { toolCallId: string } | { problem: string; unsaved?: true };
  /** Stores what happened to a background process, and notifies the agent that started it. */
  processChanged(agentId: string, change: ProcessChange): void;
  /** Resolves when all agents are idle. */
  idle(): Promise<void>;
  /** Cancels what runs, waits for it to end within `graceMs`, closes the log. */
  close(graceMs: number): Promise<void>;
}
