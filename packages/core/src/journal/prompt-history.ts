import { type Content, type FactView, ROOT_AGENT, type StoredFact, type UpdateOf } from "@harness/protocol";
import type { PromptAnswer } from "../ports/live-session.ts";

type PromptRecord = {
  content: Content[];
  disposition: "started" | "queued" | "steered";
  turnId?: string;
  taken: boolean;
};

/** Every prompt of the session by its id, derived from the facts alone, so that it survives a restart. */
export class PromptHistory implements FactView {
  readonly #known = new Map<string, PromptRecord>();
  /** Prompts that wait for their turn. */
  readonly #queued = new Set<string>();
  /** The last turn that a prompt began. */
  #begunTurn: string | undefined;

  see({ agentId, turnId, update }: StoredFact): void {
    if (update.sessionUpdate === "inbox_update") this.#seeInbox(update, turnId);
    if (agentId !== ROOT_AGENT) return;
    if (update.sessionUpdate === "queue_update") this.#seeQueue(update);
    if (update.sessionUpdate !== "user_message" || update.origin !== "user" || update.fromFile) return;
    const joined = turnId !== undefined && turnId === this.#begunTurn;
    this.#begunTurn = turnId;
    const { promptId, content } = update;
    if (promptId === undefined) return;
    const waited = this.#queued.delete(promptId);
    const disposition = joined ? "steered" : waited ? "queued" : "started";
    this.#known.set(promptId, { content, disposition, taken: true, ...(turnId === undefined ? {} : { turnId }) });
  }

  /** A message for a subagent. */
  #seeInbox({ prompt }: UpdateOf<"inbox_update">, turnId: string | undefined): void {
    if (!prompt) return;
    const joined = turnId === undefined ? {} : { turnId };
    this.#known.set(prompt.promptId, { content: prompt.content, disposition: "steered", taken: true, ...joined });
  }

  #seeQueue({ added, removed }: UpdateOf<"queue_update">): void {
    // A prompt that the user removed frees its id. One that becomes a message is known again at once.
    for (const promptId of removed) if (this.#queued.delete(promptId)) this.#known.delete(promptId);
    for (const { promptId, content } of added) {
      if (this.isTaken(promptId)) continue;
      this.#queued.add(promptId);
      this.#known.set(promptId, { content, disposition: "queued", taken: false });
    }
  }

  has(promptId: string): boolean {
    return this.#known.has(promptId);
  }

  /** True if the prompt has left the queue for the conversation. */
  isTaken(promptId: string): boolean {
    return this.#known.get(promptId)?.taken ?? false;
  }

  /** The answer to a prompt id that was used before; undefined if it is new. */
  find(promptId: string, content: Content[]): PromptAnswer | undefined {
    const known = this.#known.get(promptId);
    if (!known) return undefined;
    if (JSON.stringify(known.content) !== JSON.stringify(content)) {
      return {
        conflict: `The prompt id ${promptId} was used before for another message. Send this one under a new id.`,
      };
    }
    const { disposition, turnId } = known;
    return { disposition, duplicate: true, ...(turnId === undefined ? {} : { turnId }) };
  }
}
