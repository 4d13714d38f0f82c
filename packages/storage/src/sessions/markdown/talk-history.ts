import { type Fact, type FactView, ROOT_AGENT, type StoredFact, type UpdateOf } from "@harness/protocol";
import { meaningOf } from "./message-text.ts";
import { emptyTalk, nextMessages, type TalkState } from "./next-messages.ts";
import { callsOf, type SavedMessage, type SavedRole } from "./saved-message.ts";

/** A message of the conversation and its file. */
export type TalkEntry = {
  /** Of the fact that it comes from. */
  readonly seq: number;
  readonly role: SavedRole;
  readonly meaning: string;
  /** The calls of a reply, or the one that a result answers. */
  readonly calls: readonly string[];
  /** A message of the person, which begins something. */
  readonly isPrompt: boolean;
  /** No call of the reply before it, or of its own, waits for a result. */
  readonly isWhole: boolean;
  /** Undefined: it has no file yet. */
  name: string | undefined;
  /** The state in which the file was last read or written. */
  stamp: string;
};

/** The effect of a fact on the conversation. */
export type TalkChange = {
  added: { entry: TalkEntry; message: SavedMessage }[];
  removed: TalkEntry[];
  /** Messages that were hidden before are back. */
  isBroughtBack: boolean;
};

/** The main agent's messages that are not hidden, without their texts, built from facts. */
export class TalkHistory implements FactView {
  #state: TalkState = emptyTalk;
  #entries: TalkEntry[] = [];
  readonly #before = new Map<string, TalkEntry[]>();

  get state(): TalkState {
    return this.#state;
  }

  get entries(): readonly TalkEntry[] {
    return this.#entries;
  }

  /** The messages that a fact will add. */
  preview(update: Fact): SavedMessage[] {
    return nextMessages(this.#state, update).messages;
  }

  see(fact: StoredFact): TalkChange {
    const { agentId, seq, update } = fact;
    if (agentId !== ROOT_AGENT) return { added: [], removed: [], isBroughtBack: false };
    if (update.sessionUpdate === "rewind_update") return this.#rewind(update);
    const before = this.#state;
    const { state, messages } = nextMessages(before, update);
    this.#state = state;
    const entries = messages.map((message, index) => {
      const isWhole = index === messages.length - 1 && state.open.size === 0;
      const { role } = message;
      const isPrompt = message.role === "user" && message.origin === "user" && before.open.size === 0;
      const meaning = meaningOf(message);
      const calls = callsOf(message);
      return { message, entry: { seq, role, meaning, calls, isPrompt, isWhole, name: undefined, stamp: "" } };
    });
    this.#entries.push(...entries.map(({ entry }) => entry));
    return { added: entries, removed: [], isBroughtBack: false };
  }

  #rewind({ rewindId, redoOf, fromSeq }: UpdateOf<"rewind_update">): TalkChange {
    const before = this.#entries;
    if (redoOf !== undefined) {
      const back = this.#before.get(redoOf);
      if (!back) return { added: [], removed: [], isBroughtBack: false };
      this.#before.delete(redoOf);
      this.#entries = back;
      this.#state = emptyTalk;
      const kept = new Set(back);
      return { added: [], removed: before.filter((entry) => !kept.has(entry)), isBroughtBack: true };
    }
    if (fromSeq === undefined) return { added: [], removed: [], isBroughtBack: false };
    this.#before.set(rewindId, before);
    this.#entries = before.filter(({ seq }) => seq < fromSeq);
    this.#state = emptyTalk;
    return { added: [], removed: before.filter(({ seq }) => seq >= fromSeq), isBroughtBack: false };
  }
}
