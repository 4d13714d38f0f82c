import type { AgentMode } from "@harness/protocol";
import { type OwnTexts, openingText } from "../../modes/mode-text.ts";
import type { SessionPorts } from "../../ports/session-ports.ts";
import type { InstructionFile, WorkspaceFacts } from "../../ports/workspace.ts";
import type { PromptBudget } from "./prompt-budget.ts";
import { type SystemTextParts, systemPrompt } from "./system-prompt.ts";

type TextPorts = Pick<SessionPorts, "requests">;

/** The settings that the text depends on, as they are at the moment. */
type TextSettings = { readonly agentMode: AgentMode; readonly customInstructions: string };

type Known = { workspace: WorkspaceFacts; instructionFiles: InstructionFile[]; own: OwnTexts };

/**
 * The system text of a session. Its sources are read once, and again only when the prefix changes anyway: after a
 * compaction or a change of the agent mode.
 */
export class SystemText {
  readonly #ports: TextPorts;
  readonly #settings: TextSettings;
  #known: { mode: AgentMode; read: Promise<Known> } | undefined;

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
  async get(mode: AgentMode, budget: PromptBudget, toolChars: number): Promise<SystemTextParts> {
    if (this.#known?.mode !== mode) this.#known = { mode, read: this.#read(mode) };
    const { own, ...known } = await this.#known.read;
    const opening = openingText(mode, { own, isShort: budget.size === "small" });
    return systemPrompt({ customInstructions: this.instructions, opening, ...known, budget, toolChars });
  }

  forget(): void {
    this.#known = undefined;
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
      this.#known = undefined;
      throw error;
    }
  }
}
