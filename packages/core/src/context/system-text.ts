import type { Clock } from "../ports/clock.ts";
import type { InstructionFile, WorkspaceFacts } from "../ports/workspace.ts";
import { systemPrompt } from "./system-prompt.ts";

type TextPorts = {
  clock: Clock;
  workspace(): Promise<WorkspaceFacts>;
  instructionFiles(): Promise<InstructionFile[]>;
};

/** The system text of a session: read from outside once, and again only when a compaction breaks the prefix anyway. */
export class SystemText {
  readonly #ports: TextPorts;
  readonly #customInstructions: string;
  #text: Promise<string> | undefined;

  constructor(ports: TextPorts, customInstructions: string) {
    this.#ports = ports;
    this.#customInstructions = customInstructions;
  }

  get(): Promise<string> {
    this.#text ??= this.#build();
    return this.#text;
  }

  forget(): void {
    this.#text = undefined;
  }

  async #build(): Promise<string> {
    try {
      const [workspace, instructionFiles] = await Promise.all([
        this.#ports.workspace(),
        this.#ports.instructionFiles(),
      ]);
      const today = new Date(this.#ports.clock.now()).toISOString().slice(0, 10);
      return systemPrompt({ customInstructions: this.#customInstructions, workspace, instructionFiles, today });
    } catch (error) {
      // A failure must not be kept for the rest of the session.
      this.#text = undefined;
      throw error;
    }
  }
}
