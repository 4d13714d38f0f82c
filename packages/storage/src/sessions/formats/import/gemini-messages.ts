import type { ForeignFile } from "./foreign-file.ts";
import type { ImportDraft } from "./import-draft.ts";
import { type JsonRow, partList, rowOf, stringOf } from "./json-values.ts";

/** A row of the file, and an index in its list; -1: the row itself is the message. */
type MessageOffset = { row: number; at: number };
type PlacedMessage = MessageOffset & { id: string; turn: number };

/**
 * The messages of a session of Gemini CLI, which rewrites its list when a session is continued or summarised. Stores
 * only the positions of messages, because a file may be long.
 */
export class GeminiMessages {
  readonly #file: ForeignFile;
  readonly #talk: ImportDraft;
  readonly #byId = new Map<string, MessageOffset>();
  /** Each message as it first appeared: a copy in a new list has lost its time and model. */
  readonly #first = new Map<string, Pick<JsonRow, "timestamp" | "model" | "displayContent">>();
  /** Copies of earlier messages under new ids: a summary renames the messages after it. */
  readonly #copies = new Set<string>();

  constructor(file: ForeignFile, talk: ImportDraft) {
    this.#file = file;
    this.#talk = talk;
    let number = 0;
    for (const row of file.rows()) {
      this.#take(row, number);
      number += 1;
    }
  }

  /** Reads the file again; only messages that appear too early are kept. */
  *inOrder(): Generator<JsonRow, void> {
    const turns = Map.groupBy(this.#turns(), ({ row }) => row);
    const waiting = new Map<number, JsonRow>();
    let next = 0;
    let number = 0;
    for (const row of this.#file.rows()) {
      const list = turns.has(number) ? listIn(row) : [];
      for (const { at, id, turn } of turns.get(number) ?? [])
        waiting.set(turn, withOrigin(list[at] ?? row, this.#first.get(id) ?? {}));
      for (let ready = waiting.get(next); ready; ready = waiting.get(next)) {
        waiting.delete(next);
        next += 1;
        yield ready;
      }
      number += 1;
    }
  }

  #turns(): PlacedMessage[] {
    return [...this.#byId].map(([id, place], turn) => ({ ...place, id, turn }));
  }

  #take(row: JsonRow, number: number): void {
    const { $set: set, $rewindTo: target } = row;
    this.#talk.title = stringOf(row.summary) || stringOf(rowOf(set).summary) || this.#talk.title;
    if (Array.isArray(row.messages))
      for (const [at, message] of listIn(row).entries()) this.#put(message, { row: number, at });
    else if (typeof row.type === "string") this.#put(row, { row: number, at: -1 });
    else if (Array.isArray(rowOf(set).messages)) this.#replaceAll(listIn(row), number);
    if (typeof target === "string") this.#rewind(target);
  }

  #put(message: JsonRow, place: MessageOffset): void {
    const id = idOf(message, place);
    const { timestamp, model, displayContent } = message;
    if (!this.#first.has(id)) this.#first.set(id, { timestamp, model, displayContent });
    this.#byId.set(id, place);
  }

  /** The program's new list. If it has a new summary, it says nothing else that is new: the rest are copies. */
  #replaceAll(messages: readonly JsonRow[], row: number): void {
    const summaries = messages.filter(isSummary).map(({ id }) => stringOf(id));
    const isNew = !summaries.every((id) => this.#copies.has(id));
    if (isNew) this.#talk.leave("summary");
    if (summaries.length === 0) this.#byId.clear();
    for (const [at, message] of messages.entries()) {
      const id = idOf(message, { row, at });
      if (isNew && !this.#byId.has(id)) this.#copies.add(id);
      else if (!this.#copies.has(id)) this.#put(message, { row, at });
    }
  }

  /** That message and all after it are gone. */
  #rewind(id: string): void {
    const at = [...this.#byId.keys()].indexOf(id);
    if (at < 0) return;
    const gone = [...this.#byId.keys()].slice(at);
    for (const later of gone) this.#byId.delete(later);
    this.#talk.leave("rolled back message", gone.length);
  }
}

function idOf({ id }: JsonRow, { row, at }: MessageOffset): string {
  return stringOf(id) || `line ${row} ${at}`;
}

function listIn(row: JsonRow): JsonRow[] {
  return partList(row.messages ?? rowOf(row.$set).messages);
}

function isSummary({ type, content }: JsonRow): boolean {
  return (
    type === "user" && partList(content).some(({ text }) => stringOf(text).trimStart().startsWith("<state_snapshot>"))
  );
}

function withOrigin(message: JsonRow, { timestamp, model, displayContent }: JsonRow): JsonRow {
  return {
    ...message,
    timestamp: timestamp ?? message.timestamp,
    model: message.model ?? model,
    displayContent: message.displayContent ?? displayContent,
  };
}
