import type { UpdateOf } from "@harness/protocol";
import type { ModelMessage } from "../../ports/provider.ts";
import { rewindNote } from "./rewind-note.ts";

/** What a model is sent at one moment; the messages themselves are shared. */
export type Conversation = {
  messages: ModelMessage[];
  /** The seq of the fact that each message stands for. */
  seqs: number[];
  /** What the person said so far, or the task of a subagent. */
  words: { seq: number; text: string }[];
  startsWithSummary: boolean;
};

type Compacted = { seq: number; conversation: Conversation };

/**
 * Lets a conversation go back to an earlier message and forth again, also behind a compaction: what it replaced is
 * known. A summary of what is set aside is not sent either.
 */
export class RewindHistory {
  #compacted: Compacted[] = [];
  readonly #aside = new Map<string, { conversation: Conversation; compacted: Compacted[] }>();
  readonly #notes = new Map<string, string>();

  /** The conversation that a compaction replaces. */
  compacted(seq: number, conversation: Conversation): void {
    this.#compacted.push({ seq, conversation });
  }

  /** What counts from now on; undefined = as before. */
  rewind(update: UpdateOf<"rewind_update">, now: Conversation): Conversation | undefined {
    const { rewindId, redoOf, fromSeq } = update;
    if (redoOf !== undefined) return this.#bringBack(redoOf);
    const note = rewindNote(update);
    if (note !== undefined) this.#notes.set(rewindId, note);
    if (fromSeq === undefined) return undefined;
    this.#aside.set(rewindId, { conversation: now, compacted: this.#compacted });
    const firstLost = this.#compacted.findIndex(({ seq }) => seq >= fromSeq);
    const base = this.#compacted[firstLost]?.conversation ?? now;
    if (firstLost >= 0) this.#compacted = this.#compacted.slice(0, firstLost);
    const end = base.seqs.findIndex((seq) => seq >= fromSeq);
    const length = end < 0 ? base.seqs.length : end;
    return {
      messages: base.messages.slice(0, length),
      seqs: base.seqs.slice(0, length),
      words: base.words.filter(({ seq }) => seq < fromSeq),
      startsWithSummary: base.startsWithSummary,
    };
  }

  /** What the model must be told with the person's next message; told once. */
  takeNotes(): string[] {
    const notes = [...this.#notes.values()];
    this.#notes.clear();
    return notes;
  }

  #bringBack(rewindId: string): Conversation | undefined {
    this.#notes.delete(rewindId);
    const aside = this.#aside.get(rewindId);
    if (!aside) return undefined;
    this.#aside.delete(rewindId);
    this.#compacted = aside.compacted;
    return aside.conversation;
  }
}
