import type { UpdateOf } from "@harness/protocol";
import type { ModelMessage } from "../../ports/provider.ts";
import { rewindNote } from "./rewind-note.ts";

/** The messages for a model at one moment; the message objects are shared. */
export type Conversation = {
  messages: ModelMessage[];
  /** The seq of the fact that each message comes from. */
  seqs: number[];
  /** The person's prompts so far, or a subagent's task. */
  prompts: { seq: number; text: string }[];
  /** The compaction whose summary comes first. */
  compaction: UpdateOf<"compaction_update"> | undefined;
};

type CompactedConversation = { seq: number; conversation: Conversation };

/**
 * Lets a conversation be rewound to an earlier message and restored. This works across a compaction, because the
 * messages that it replaced are kept. A summary of rewound messages is dropped too.
 */
export class RewindHistory {
  #compacted: CompactedConversation[] = [];
  readonly #rewound = new Map<string, { conversation: Conversation; compacted: CompactedConversation[] }>();
  readonly #notes = new Map<string, string>();

  /** The seq of the compaction in effect; 0: there is none. */
  get lastCompaction(): number {
    return this.#compacted.at(-1)?.seq ?? 0;
  }

  /** The conversation that a compaction replaces. */
  compacted(seq: number, conversation: Conversation): void {
    this.#compacted.push({ seq, conversation });
  }

  /** The conversation from now on; undefined: unchanged. */
  rewind(update: UpdateOf<"rewind_update">, now: Conversation): Conversation | undefined {
    const { rewindId, redoOf, fromSeq } = update;
    if (redoOf !== undefined) return this.#bringBack(redoOf);
    const note = rewindNote(update);
    if (note !== undefined) this.#notes.set(rewindId, note);
    if (fromSeq === undefined) return undefined;
    this.#rewound.set(rewindId, { conversation: now, compacted: this.#compacted });
    const firstLost = this.#compacted.findIndex(({ seq }) => seq >= fromSeq);
    const base = this.#compacted[firstLost]?.conversation ?? now;
    if (firstLost >= 0) this.#compacted = this.#compacted.slice(0, firstLost);
    const end = base.seqs.findIndex((seq) => seq >= fromSeq);
    const length = end < 0 ? base.seqs.length : end;
    return {
      messages: base.messages.slice(0, length),
      seqs: base.seqs.slice(0, length),
      prompts: base.prompts.filter(({ seq }) => seq < fromSeq),
      compaction: base.compaction,
    };
  }

  /** Notes for the model to send with the person's next message, each once. */
  takeNotes(): string[] {
    const notes = [...this.#notes.values()];
    this.#notes.clear();
    return notes;
  }

  #bringBack(rewindId: string): Conversation | undefined {
    this.#notes.delete(rewindId);
    const rewound = this.#rewound.get(rewindId);
    if (!rewound) return undefined;
    this.#rewound.delete(rewindId);
    this.#compacted = rewound.compacted;
    return rewound.conversation;
  }
}
