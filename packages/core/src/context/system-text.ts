import type { Clock } from "../ports/clock.ts";
import type { InstructionFile, WorkspaceFacts } from "../ports/workspace.ts";
import type { Diet } from "./prompt-diet.ts";
import { systemPrompt } from "./system-prompt.ts";

type TextPorts = {
  clock: Clock;
  workspace(): Promise<WorkspaceFacts>;
  instructionFiles(): Promise<InstructionFile[]>;
};

type Known = { workspace: WorkspaceFacts; instructionFiles: InstructionFile[]; today: string };

/** The system text of a session: read from outside once, and again only when a compaction breaks the prefix anyway. */
export class SystemText {
  readonly #ports: TextPorts;
  readonly #customInstructions: string;
  #known: Promise<Known> | undefined;

  constructor(ports: TextPorts, customInstructions: string) {
    this.#ports = ports;
    this.#customInstructions = customInstructions;
  }

  /** `toolChars` = what the tools of a first request take of the diet. */
  async get(diet: Diet, toolChars: number): Promise<string> {
    this.#known ??= this.#read();
    return systemPrompt({ customInstructions: this.#customInstructions, ...(await this.#known), diet, toolChars });
  }

  forget(): void {
    this.#known = undefined;
  }

  async #read(): Promise<Known> {
    try {
      const [workspace, instructionFiles] = await Promise.all([
        this.#ports.workspace(),
        this.#ports.instructionFiles(),
      ]);
      return { workspace, instructionFiles, today: new Date(this.#ports.clock.now()).toISOString().slice(0, 10) };
    } catch (error) {
      // A failure must not be kept for the rest of the session.
      this.#known = undefined;
      throw error;
    }
  }
}
