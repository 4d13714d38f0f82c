import type { AgentMode } from "@harness/protocol";
import type { PromptBudget } from "./prompt-budget.ts";
import { systemSections } from "./sections/sections.ts";
import { type AssembledSystemText, systemPrompt } from "./system-prompt.ts";
import type { AgentText, SectionSources, SectionText, SystemSection } from "./system-section.ts";

/** The state of something that the user can change at any time: a new mark means a new system text. */
export type SectionMark = { mark: unknown; cause: string };

type SectionReader = { agent: AgentText; budget: PromptBudget };
type CachedSection = { mark: unknown; text: Promise<SectionText> };

/**
 * The system text of a session. Its sections are read once, and again only when the prefix changes anyway: after a
 * compaction, a change of the agent mode, or a change by the user.
 */
export class SystemText {
  readonly sources: SectionSources;
  readonly #known = new Map<string, CachedSection>();
  #sessionMode: AgentMode | undefined;

  constructor(sources: SectionSources) {
    this.sources = sources;
  }

  get mode(): AgentMode {
    return this.sources.settings.agentMode;
  }

  /** The current marks, always in the same order. */
  marks(): SectionMark[] {
    return systemSections.flatMap(({ change }) =>
      change ? [{ mark: change.mark(this.sources), cause: change.cause }] : [],
    );
  }

  /** `toolChars`: characters of the budget that the tools of the first request take. */
  async get(agent: AgentText, budget: PromptBudget, toolChars: number): Promise<AssembledSystemText> {
    if (this.#sessionMode !== this.mode) this.forget();
    this.#sessionMode = this.mode;
    const reading = systemSections.map(async (section, index) => {
      const { name, room } = section;
      return { name, room, text: await this.#text(section, index, { agent, budget }) };
    });
    return systemPrompt(await Promise.all(reading), { budget, toolChars, agent });
  }

  forget(): void {
    this.#known.clear();
  }

  async #text(section: SystemSection, index: number, { agent, budget }: SectionReader): Promise<SectionText> {
    const key = `${index} ${section.key?.(agent, budget) ?? ""}`;
    const mark = section.change?.mark(this.sources);
    const known = this.#known.get(key);
    if (known && known.mark === mark) return known.text;
    const fresh = { mark, text: section.read(this.sources, agent, budget) };
    this.#known.set(key, fresh);
    try {
      return await fresh.text;
    } catch (error) {
      // A failure must not stay cached for the rest of the session.
      if (this.#known.get(key) === fresh) this.#known.delete(key);
      throw error;
    }
  }
}
