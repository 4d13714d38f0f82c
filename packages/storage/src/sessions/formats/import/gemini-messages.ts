import type { ImportDraft } from "./import-draft.ts";
import { type JsonRow, partList, stringOf } from "./json-values.ts";

/** The messages of a session of Gemini CLI, which rewrites its list: when it goes on in a session, and when it summarises. */
export class GeminiMessages {
  readonly #talk: ImportDraft;
  readonly #byId = new Map<string, JsonRow>();
  /** Each message as it was when it came: a copy in a new list has lost its time and its model. */
  readonly #first = new Map<string, Pick<JsonRow, "timestamp" | "model" | "displayContent">>();
  /** Copies of messages that are kept here as they were: a summary renames those after it. */
  readonly #copies = new Set<string>();
  #unnamed = 0;

  constructor(talk: ImportDraft) {
    this.#talk = talk;
  }

  put(message: JsonRow): void {
    this.#unnamed += 1;
    const id = stringOf(message.id) || `line ${this.#unnamed}`;
    const { timestamp, model, displayContent } = message;
    const first = this.#first.get(id);
    if (!first) this.#first.set(id, { timestamp, model, displayContent });
    this.#byId.set(id, first ? withOrigin(message, first) : message);
  }

  /** The list as the program has it from now on. */
  replaceAll(messages: readonly JsonRow[]): void {
    const summaries = messages.filter(isSummary).map(({ id }) => stringOf(id));
    if (summaries.length > 0) this.#keepWholeHistory(messages, summaries);
    else {
      this.#byId.clear();
      for (const message of messages) this.put(message);
    }
  }

  /** That message and all after it are gone. */
  rewind(id: string): void {
    const at = [...this.#byId.keys()].indexOf(id);
    if (at < 0) return;
    const gone = [...this.#byId.keys()].slice(at);
    for (const later of gone) this.#byId.delete(later);
    this.#talk.leave("rolled back message", gone.length);
  }

  all(): Iterable<JsonRow> {
    return this.#byId.values();
  }

  /** Nothing new is said in a list with a new summary: what it has besides is a copy. */
  #keepWholeHistory(messages: readonly JsonRow[], summaries: readonly string[]): void {
    const isNew = !summaries.every((id) => this.#copies.has(id));
    if (isNew) this.#talk.leave("summary");
    for (const message of messages) {
      const id = stringOf(message.id);
      if (this.#byId.has(id)) this.put(message);
      else if (isNew) this.#copies.add(id);
      else if (!this.#copies.has(id)) this.put(message);
    }
  }
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
