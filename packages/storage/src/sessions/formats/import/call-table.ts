import { taggedText } from "@harness/protocol";

/** A result comes soon after its call. */
const MAX_NAMED = 10_000;
/** No more calls than this run at the same time. */
const MAX_OPEN = 200;

/** The calls of a conversation: their names, and which recent ones have no result yet. */
export class CallTable {
  /** The names of recent calls by id; only recent ones, because there may be any number. */
  #newer = new Map<string, string>();
  #older: ReadonlyMap<string, string> = new Map();
  /** Calls whose results are still to be shown, in order; with the result if it came before that of an earlier call. */
  readonly #open = new Map<string, string | undefined>();

  /** Returns the results that wait for earlier calls in vain. */
  add(id: string, name: string): string[] {
    if (this.#newer.size >= MAX_NAMED) {
      this.#older = this.#newer;
      this.#newer = new Map();
    }
    this.#newer.set(id, name);
    const late = this.#open.size >= MAX_OPEN ? this.rest() : [];
    this.#open.set(id, undefined);
    return late;
  }

  nameOf(id: string): string | undefined {
    return this.#newer.get(id) ?? this.#older.get(id);
  }

  /** The results that can be shown after this one. */
  answered(id: string, result: string): string[] {
    if (!this.#open.has(id) || this.#open.get(id) !== undefined) return [result];
    this.#open.set(id, result);
    const ready: string[] = [];
    for (const [open, text] of this.#open) {
      if (text === undefined) break;
      ready.push(text);
      this.#open.delete(open);
    }
    return ready;
  }

  /**
   * The conversation continues without the missing results: returns those that wait for them, and a line for each
   * missing one.
   */
  rest(): string[] {
    const open = [...this.#open.values()];
    this.#open.clear();
    const last = open.findLastIndex((text) => text !== undefined);
    return open.slice(0, last + 1).map((text) => text ?? taggedText("result", "", "(none)"));
  }
}
