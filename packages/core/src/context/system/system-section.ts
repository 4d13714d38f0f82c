import type { AgentMode, ContextSectionName, SessionState, Settings } from "@harness/protocol";
import type { RequestSources } from "../../ports/session-ports.ts";
import type { PromptBudget } from "./prompt-budget.ts";

/** The agent that the text is for. */
export type AgentText = {
  readonly agentId: string;
  readonly mode: AgentMode;
  /** Replaces the mode's text. */
  readonly prompt?: string | undefined;
  /** True for the agent that the user talks to. */
  readonly isMain: boolean;
  /** True if it has the tool that loads skills. */
  readonly loadsSkills: boolean;
  /** True if its messages contain the text of this skill. */
  hasInView(skillText: string): boolean;
};

type SectionSettings = {
  readonly agentMode: AgentMode;
  readonly values: Pick<Settings, "custom_instructions" | "project_md_files" | "repository_map">;
};

/** The inputs of sections, at their current values. */
export type SectionSources = {
  readonly requests: RequestSources;
  readonly settings: SectionSettings;
  state(): SessionState;
  /** The session's folder. */
  readonly cwd: string;
  /** The reason why a file may not be read for the user, as the end of a sentence; undefined: it may be read. */
  refusal(path: string): Promise<string | undefined>;
};

/** A named text, such as a file. `name` is shown to people; `version`: the hash of a file's text. */
export type SystemPiece = { name: string; text: string; version?: string };

/** The characters available to a section in this context window, for this agent. */
type SectionRoom = { chars: number; budget: PromptBudget; agent: AgentText };

/** The content read for a section. The same room must give the same bytes, because prompt caches depend on it. */
export type SectionText = { write(room: SectionRoom): SystemPiece[] };

/** A section of the system text. */
export type SystemSection = {
  /** The name under which its tokens are counted; sections may share it. */
  name: ContextSectionName;
  /**
   * `whole`: never cut. `shared`: a fair share of what the uncut sections leave of the prompt budget. A function: this
   * many characters on top of the budget, for content that the user has asked for.
   */
  room: "whole" | "shared" | ((budget: PromptBudget) => number);
  /** Distinguishes agents and windows with different texts; absent: the text is the same for all. */
  key?(agent: AgentText, budget: PromptBudget): string;
  /** If the mark changes, the section is read again and the prefix of requests breaks for this cause. */
  change?: { mark(sources: SectionSources): unknown; cause: string };
  /** Read when a request first needs it, and again only when the prefix changes anyway. */
  read(sources: SectionSources, agent: AgentText, budget: PromptBudget): Promise<SectionText>;
};
