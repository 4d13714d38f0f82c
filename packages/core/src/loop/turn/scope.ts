import type { Gatekeeper, Slots } from "@harness/gate";
import type { SystemText } from "../../context/system/system-text.ts";
import type { Journal } from "../../journal/journal.ts";
import type { ModelSelector } from "../../journal/model-selector.ts";
import type { PromptQueue } from "../../journal/prompt-queue.ts";
import type { SessionSettings } from "../../journal/session-settings.ts";
import type { SessionPorts } from "../../ports/session-ports.ts";
import type { TurnCheckpoints } from "../../undo/turn-checkpoints.ts";
import type { Agent } from "./agent.ts";

/** What requests to a model are made with. */
type Requests = { readonly models: ModelSelector; readonly system: SystemText };

/** What every call goes through. */
type Calls = {
  readonly gate: Gatekeeper;
  /** Keeps the files before they are changed. */
  readonly undo: TurnCheckpoints;
  /** Limits the calls that run at the same time, over all agents of the session. */
  readonly slots: Slots;
  /** Stops each call that has no result yet. */
  readonly controllers: Map<string, AbortController>;
};

/** What all agents of one session share. */
export type Scope = {
  readonly ports: SessionPorts;
  readonly settings: SessionSettings;
  readonly journal: Journal;
  readonly prompts: PromptQueue;
  readonly requests: Requests;
  readonly calls: Calls;
  /** Agents at work, and the root always. */
  readonly agents: Map<string, Agent>;
};
