import type { AgentMode } from "@harness/protocol";
import { type OwnTexts, openingText } from "../../modes/mode-text.ts";
import type { SessionPorts } from "../../ports/session-ports.ts";
import type { InstructionFile, WorkspaceFacts } from "../../ports/workspace.ts";
import type { PromptBudget } from "./prompt-budget.ts";
import { type SystemTextParts, systemPrompt } from "./system-prompt.ts";

type TextPorts = Pick<SessionPorts, "requests">;

/** The settings that the text depends on, as they are at the moment. */
type TextSettings = { readonly agentMode: AgentMode; readonly customInstructions: string };

/** The mode of an agent, and its own text in place of the mode's. */
type AgentText = { readonly mode: AgentMode; readonly prompt?: string | undefined };

type Known = { workspace: WorkspaceFacts; instructionFiles: InstructionFile[]; own: OwnTexts };

/**
 * The system text of a session. Its sources are read once, and again only when the prefix changes anyway: after a
 * compaction or a change of the agent mode.
 */
export class SystemText {
  readonly #ports: TextPorts;
  readonly #settings: TextSettings;
  /** By the mode of an agent, since the session has its mode. */
  #known = new Map<AgentMode, Promise<Known>>();
  #sessionMode: AgentMode | undefined;

  constructor(ports: TextPorts, settings: TextSettings) {
    this.#ports = ports;
    this.#settings = settings;
  }

  /** The agent mode at this moment. */
  get mode(): AgentMode {
    return this.#settings.agentMode;
  }

  /** The custom instructions at this moment. */
  get instructions(): string {
    return this.#settings.customInstructions;
  }

  /** `toolChars` = characters of the budget that the tools of a first request take. */
  async get({ mode, prompt }: AgentText, budget: PromptBudget, toolChars: number): Promise<SystemTextParts> {
    if (this.#sessionMode !== this.mode) this.forget();
    this.#sessionMode = this.mode;
    const reading = this.#known.get(mode) ?? this.#read(mode);
    this.#known.set(mode, reading);
    const { own, ...known } = await reading;
    const texts = prompt === undefined ? own : { header: own.header, mode: prompt };
    const opening = openingText(mode, { own: texts, isShort: budget.size === "small" });
    return systemPrompt({ customInstructions: this.instructions, opening, ...known, budget, toolChars });
  }

  forget(): void {
    this.#known.clear();
  }

  async #read(mode: AgentMode): Promise<Known> {
    const { requests } = this.#ports;
    try {
      const [workspace, instructionFiles, header, modeText] = await Promise.all([
        requests.workspace(),
        requests.instructionFiles(),
        requests.modePrompts.read("header"),
        requests.modePrompts.read(mode),
      ]);
      return { workspace, instructionFiles, own: { header, mode: modeText } };
    } catch (error) {
      // A failure must not stay cached for the rest of the session.
      this.#known.delete(mode);
      throw error;
    }
  }
}
