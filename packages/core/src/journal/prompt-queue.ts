import { type Content, type PromptCommand, type QueuedPrompt, ROOT_AGENT } from "@harness/protocol";
import { sanitizeText } from "../context/sanitize-text.ts";
import type { Journal } from "./journal.ts";

/**
 * Prompts that arrived while a turn ran. Each is a fact before it is acknowledged. Steering prompts join the running
 * turn before its next request; if the turn ends first, they wait like the others.
 */
export class PromptQueue {
  readonly #journal: Journal;
  readonly #steering = new Set<string>();
  /** Prompts that a client has sent in this life of the session. */
  readonly #given = new Set<string>();

  constructor(journal: Journal) {
    this.#journal = journal;
  }

  get waiting(): readonly QueuedPrompt[] {
    return this.#journal.state.queue;
  }

  give(promptId: string): void {
    this.#given.add(promptId);
  }

  /** True if the user has said it in this process, rather than only a log saying so. */
  isGiven(promptId: string): boolean {
    return this.#given.has(promptId);
  }

  /** Throws `LogWriteError`. */
  add(prompt: QueuedPrompt, { steer }: { steer: boolean }): void {
    this.#store([prompt], []);
    if (steer) this.#steering.add(prompt.promptId);
  }

  /** Removes prompts that were withdrawn or have become messages. Throws `LogWriteError`. */
  remove(promptIds: readonly string[]): boolean {
    const removed = this.waiting.map(({ promptId }) => promptId).filter((promptId) => promptIds.includes(promptId));
    if (removed.length === 0) return false;
    this.#store([], removed);
    for (const promptId of promptIds) this.#steering.delete(promptId);
    return true;
  }

  get steering(): QueuedPrompt[] {
    return this.#steering.size === 0 ? [] : this.waiting.filter((each) => this.#steering.has(each.promptId));
  }

  isSteering(promptId: string): boolean {
    return this.#steering.has(promptId);
  }

  /** The turn that they should have joined is over. */
  forgetSteering(): void {
    this.#steering.clear();
  }

  #store(added: QueuedPrompt[], removed: string[]): void {
    this.#journal.append({ agentId: ROOT_AGENT, update: { sessionUpdate: "queue_update", added, removed } });
  }
}

/** Makes a prompt valid for every wire and disk. */
export function sanitizePrompt({ promptId, content, attached = [], files = [], command }: QueuedPrompt): QueuedPrompt {
  return {
    promptId,
    content: sanitizeContent(content),
    ...(attached.length > 0 ? { attached: sanitizeContent(attached) } : {}),
    ...(files.length > 0 ? { files } : {}),
    ...(command ? { command: sanitizeCommand(command) } : {}),
  };
}

function sanitizeCommand(command: PromptCommand): PromptCommand {
  return {
    ...command,
    pieces: command.pieces.map((piece) => ("text" in piece ? { text: sanitizeText(piece.text) } : piece)),
  };
}

function sanitizeContent(content: readonly Content[]): Content[] {
  return content.map((part) => (part.type === "text" ? { ...part, text: sanitizeText(part.text) } : part));
}
