import type { Gatekeeper, Slots } from "@harness/gate";
import type { SystemText } from "../../context/system/system-text.ts";
import type { Journal } from "../../journal/journal.ts";
import type { ModelSelector } from "../../journal/model-selector.ts";
import type { PromptQueue } from "../../journal/prompt-queue.ts";
import type { SessionSettings } from "../../journal/session-settings.ts";
import type { SessionPorts } from "../../ports/session-ports.ts";
import type { ReviewQueue } from "../../review/review-queue.ts";
import type { CheckpointHistory } from "../../undo/checkpoint-history.ts";
import type { StartLimit } from "../quota/start-limit.ts";
import type { Agent } from "./agent.ts";

/** The trigger of a compaction, and the user's instructions for the summary. */
export type CompactionOptions = { trigger: "manual" | "auto"; instructions: string; signal: AbortSignal };

/** May veto a summary of older messages, with a sentence; undefined if the summary is made. */
export type BeforeCompaction = (options: CompactionOptions) => Promise<string | undefined>;

/** Needed for requests to a model. */
type Requests = {
  readonly models: ModelSelector;
  readonly system: SystemText;
  readonly beforeCompaction: BeforeCompaction;
};

/** Everything a call passes through. */
type Calls = {
  readonly gate: Gatekeeper;
  /** Stores the files before they are changed. */
  readonly checkpoints: CheckpointHistory;
  /** Changes that wait for a review. */
  readonly review: ReviewQueue;
  /**
   * Limit the calls that run at the same time. Subagents have their own limit, so they never hold up the main agent.
   */
  readonly slots: { readonly root: Slots; readonly subagents: Slots };
  /** Stops each call that has no result yet. */
  readonly controllers: Map<string, AbortController>;
};

/** Shared by the agents of a session. */
export type Scope = {
  readonly ports: SessionPorts;
  readonly settings: SessionSettings;
  readonly journal: Journal;
  readonly prompts: PromptQueue;
  readonly requests: Requests;
  readonly calls: Calls;
  readonly startLimit: StartLimit;
  /** The running agents, and always the main agent. */
  readonly agents: Map<string, Agent>;
};

/** Makes every waiting agent check again whether what it waits for has arrived, or never will. */
export function wakeAgents({ agents }: Scope): void {
  for (const { inbox } of agents.values()) inbox.wake();
}
