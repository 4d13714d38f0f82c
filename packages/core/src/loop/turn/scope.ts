import type { Gatekeeper, Slots } from "@harness/gate";
import type { AgentMode, PermissionMode } from "@harness/protocol";
import type { SystemText } from "../../context/system/system-text.ts";
import type { Journal } from "../../journal/journal.ts";
import type { ModelSelector } from "../../journal/model-selector.ts";
import type { PromptQueue } from "../../journal/prompt-queue.ts";
import type { SessionOptions, SessionPorts } from "../../ports/live-session.ts";
import type { CheckpointKeeper } from "../../undo/checkpoint-keeper.ts";
import type { Agent } from "./agent.ts";

/** What all agents of one session share. */
export type Scope = {
  readonly cwd: string;
  readonly ports: SessionPorts;
  readonly options: SessionOptions;
  readonly journal: Journal;
  readonly gate: Gatekeeper;
  /** The session's at this moment; all its agents have them. */
  mode(): AgentMode;
  permissionMode(): PermissionMode;
  /** Keeps the files before they are changed. */
  readonly undo: CheckpointKeeper;
  readonly models: ModelSelector;
  readonly queue: PromptQueue;
  readonly system: SystemText;
  /** Agents at work, and the root always. */
  readonly agents: Map<string, Agent>;
  /** How to stop each call that has no result yet. */
  readonly calls: Map<string, AbortController>;
  /** Calls that run at the same time, over all agents of the session. */
  readonly running: Slots;
};
