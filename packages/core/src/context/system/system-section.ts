import type { AgentMode, ContextSectionName, SessionState, Settings } from "@harness/protocol";
import type { RequestSources } from "../../ports/session-ports.ts";
import type { PromptBudget } from "./prompt-budget.ts";

/** The agent that the text is for. */
export type AgentText = {
  readonly agentId: string;
  readonly mode: AgentMode;
  /** Its own text in place of the mode's. */
  readonly prompt?: string | undefined;
  /** The person talks to it. */
  readonly isMain: boolean;
  /** It has the tool that loads skills. */
  readonly loadsSkills: boolean;
  /** Do its messages have the text of this skill? */
  hasInView(skillText: string): boolean;
};

type SectionSettings = {
  readonly agentMode: AgentMode;
  readonly values: Pick<Settings, "custom_instructions" | "project_md_files">;
};

/** Everything that sections are made of, as it is at the moment. */
export type SectionSources = {
  readonly requests: RequestSources;
  readonly settings: SectionSettings;
  state(): SessionState;
  /** The session's folder. */
  readonly cwd: string;
  /** Why a file may not be read for the person, as the end of a sentence; undefined: it may be. */
  refusal(path: string): Promise<string | undefined>;
};

/** A text with a name of its own, such as a file. `name` is shown to people; `version`: the hash of a file's text. */
export type SystemPiece = { name: string; text: string; version?: string };

/** The characters that a section has, in this context window, for this agent. */
type SectionRoom = { chars: number; budget: PromptBudget; agent: AgentText };

/** The content read for a section. The same room must give the same bytes, because prompt caches depend on it. */
export type SectionText = { write(room: SectionRoom): SystemPiece[] };

/** A section of the system text. */
export type SystemSection = {
  /** The name under which its tokens are counted; sections may share one. */
  name: ContextSectionName;
  /**
   * `whole`: it is never cut. `shared`: it has a fair share of what those leave of the prompt budget. A function: so many
   * characters besides the budget, for what the person has asked for.
   */
  room: "whole" | "shared" | ((budget: PromptBudget) => number);
  /** The agents that it is another text for; absent: it is the same for all. */
  key?(agent: AgentText): string;
  /** When the mark is another value, the section is read again, and the prefix of requests breaks for this cause. */
  change?: { mark(sources: SectionSources): unknown; cause: string };
  /** Read when a request first needs it, and again only when the prefix changes anyway. */
  read(sources: SectionSources, agent: AgentText): Promise<SectionText>;
};
