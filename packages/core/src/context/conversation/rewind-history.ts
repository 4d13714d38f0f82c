import type { StoredFact, UpdateOf } from "@harness/protocol";
import type { ModelMessage } from "../../ports/provider.ts";
import { rewindNote } from "./rewind-note.ts";

/** The messages for a model at one moment; the message objects are shared. */
export type Conversation = {
  messages: ModelMessage[];
  /** The seq of the fact that each message comes from. */
  seqs: number[];
  /** The user's prompts so far, or a subagent's task. */
  prompts: { seq: number; text: string }[];
  /** The compaction whose summary comes first. */
  compaction: UpdateOf<"compaction_update"> | undefined;
};

/** `keepFromSeq`: its summary has what came before. */
type CompactionPosition = { seq: number; keepFromSeq: number };

/** Reads the facts of an agent again, up to but not including the one with this number. */
export type PastFacts = (before: number) => Iterable<StoredFact>;

/** The conversation as it was before the fact with this number. */
type ConversationBefore = (seq: number) => Conversation;

/**
 * Lets a conversation be rewound to an earlier message and restored, also across a compaction: the messages that it
 * replaced are read from the log again. A summary of rewound messages is dropped too.
 */
export class RewindHistory {
  /** The compactions in effect, oldest first. */
  #compactions: CompactionPosition[] = [];
  readonly #rewound = new Map<string, { conversation: Conversation; compactions: CompactionPosition[] }>();
  readonly #notes = new Map<string, string>();

  /** The seq of the compaction in effect; 0: there is none. */
  get lastCompaction(): number {
    return this.#compactions.at(-1)?.seq ?? 0;
  }

  compacted(seq: number, { keepFromSeq }: Pick<CompactionPosition, "keepFromSeq">): void {
    this.#compactions.push({ seq, keepFromSeq });
  }

  /** The conversation from now on; undefined: unchanged. */
  rewind(update: UpdateOf<"rewind_update">, now: Conversation, before: ConversationBefore): Conversation | undefined {
    const { rewindId, redoOf, fromSeq, fromFiles } = update;
    if (redoOf !== undefined) return this.#bringBack(redoOf);
    const note = rewindNote(update);
    if (note !== undefined) this.#notes.set(rewindId, note);
    if (fromSeq === undefined) return undefined;
    this.#rewound.set(rewindId, { conversation: now, compactions: this.#compactions });
    // A summary of what came before messages that follow again stays true.
    const isLost = ({ seq, keepFromSeq }: CompactionPosition) =>
      seq >= fromSeq && !(fromFiles && keepFromSeq <= fromSeq);
    const firstLost = this.#compactions.find(isLost);
    const base = firstLost === undefined ? now : before(firstLost.seq);
    this.#compactions = this.#compactions.filter((each) => !isLost(each));
    const end = base.seqs.findIndex((seq) => seq >= fromSeq);
    const length = end < 0 ? base.seqs.length : end;
    return {
      messages: base.messages.slice(0, length),
      seqs: base.seqs.slice(0, length),
      prompts: base.prompts.filter(({ seq }) => seq < fromSeq),
      compaction: base.compaction,
    };
  }

  /** Notes for the model to send with the user's next message, each once. */
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
    this.#compactions = rewound.compactions;
    return rewound.conversation;
  }
}
