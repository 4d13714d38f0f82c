import { type Fact, type FactView, ROOT_AGENT, type StoredFact, type UpdateOf } from "@harness/protocol";
import { meaningOf } from "./message-text.ts";
import { emptyTalk, nextMessages, type TalkState } from "./next-messages.ts";
import { callsOf, isHarness, type SavedMessage, type SavedRole } from "./saved-message.ts";

/** A message of the conversation and its file. */
export type TalkEntry = {
  /** The place in the log from which it counts; a rewind from there hides it. */
  readonly seq: number;
  /** The fact with its content. */
  readonly factSeq: number;
  /** Of the message, or of the call that a result answers. */
  readonly id: string;
  readonly role: SavedRole;
  readonly meaning: string;
  /** The calls of a reply, or the one that a result answers. */
  readonly calls: readonly string[];
  /** harness's own messages to the model are not shown. */
  readonly isShown: boolean;
  /** The user has written it. */
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
  /** Messages of an edit that was stored in part: they follow again as they are in their files. */
  #awaited: TalkEntry[] = [];
  /** The results of calls that have started before their reply was complete, by the ids of the calls. */
  readonly #earlySeqs = new Map<string, number>();
  #cut: { seq: number; id: string } | undefined;
  readonly #before = new Map<string, TalkEntry[]>();
  readonly #hidden = new Map<number, TalkEntry>();

  get state(): TalkState {
    return this.#state;
  }

  get entries(): readonly TalkEntry[] {
    return this.#entries;
  }

  /** Hidden by a change of files whose other facts have not been stored. */
  get awaited(): readonly TalkEntry[] {
    return this.#awaited;
  }

  /** Messages that rewinds have hidden; a redo may bring them back. */
  get hidden(): Iterable<TalkEntry> {
    return this.#hidden.values();
  }

  /** The messages that a fact will add. */
  preview(update: Fact): SavedMessage[] {
    return nextMessages(this.#state, update).messages;
  }

  see(fact: StoredFact): TalkChange {
    const { agentId, update } = fact;
    if (agentId !== ROOT_AGENT) return { added: [], removed: [], isBroughtBack: false };
    if (update.sessionUpdate === "rewind_update") return this.#rewind(update);
    const { state, messages } = nextMessages(this.#state, update);
    this.#state = state;
    const added = messages.map((message, index) => {
      const isWhole = index === messages.length - 1 && state.open.size === 0;
      const { role } = message;
      const isShown = !isHarness(message);
      const isPrompt = role === "user" && message.origin === "user";
      const [meaning, calls] = [meaningOf(message), callsOf(message)];
      const place = this.#placeOf(message, fact);
      return {
        message,
        entry: { ...place, role, meaning, calls, isShown, isPrompt, isWhole, name: undefined, stamp: "" },
      };
    });
    this.#note(fact);
    this.#entries.push(...added.map(({ entry }) => entry));
    if ("fromFile" in update) this.#awaited = this.#awaited.filter(({ factSeq }) => factSeq !== update.fromFile?.of);
    return { added, removed: [], isBroughtBack: false };
  }

  #placeOf(message: SavedMessage, { seq, update }: StoredFact): Pick<TalkEntry, "seq" | "factSeq" | "id"> {
    if (message.role === "tool_result") {
      const { callId: id } = message;
      return { seq, factSeq: this.#earlySeqs.get(id) ?? seq, id };
    }
    // A reply that a person has cut short counts from the end of its turn on.
    if (update.sessionUpdate === "state_update" && this.#cut) return { ...this.#cut, factSeq: this.#cut.seq };
    return { seq, factSeq: seq, id: "messageId" in update ? (update.messageId ?? "") : "" };
  }

  #note({ seq, update }: StoredFact): void {
    if (update.sessionUpdate === "agent_message") {
      this.#cut = update.stop === "cut" ? { seq, id: update.messageId } : undefined;
      this.#earlySeqs.clear();
    } else if (update.sessionUpdate === "tool_call_update" && update.outcome && this.#state.early)
      this.#earlySeqs.set(update.toolCallId, seq);
  }

  #rewind({ rewindId, redoOf, fromSeq, fromFiles, gone = [] }: UpdateOf<"rewind_update">): TalkChange {
    const before = this.#entries;
    if (redoOf !== undefined) {
      const back = this.#before.get(redoOf);
      if (!back) return { added: [], removed: [], isBroughtBack: false };
      this.#before.delete(redoOf);
      this.#entries = back;
      this.#state = emptyTalk;
      const kept = new Set(back);
      const removed = before.filter((entry) => !kept.has(entry));
      for (const entry of removed) this.#hidden.set(entry.factSeq, entry);
      for (const { factSeq } of back) this.#hidden.delete(factSeq);
      return { added: [], removed, isBroughtBack: true };
    }
    if (fromSeq === undefined) return { added: [], removed: [], isBroughtBack: false };
    const first = before.findIndex(({ seq }) => seq >= fromSeq);
    const kept = first < 0 ? before.length : first;
    const removed = before.slice(kept);
    this.#entries = before.slice(0, kept);
    this.#state = emptyTalk;
    if (fromFiles) this.#awaited = removed.filter(({ id }) => !gone.includes(id));
    else {
      this.#before.set(rewindId, before);
      for (const entry of removed) this.#hidden.set(entry.factSeq, entry);
    }
    return { added: [], removed, isBroughtBack: false };
  }
}
