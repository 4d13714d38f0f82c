import type { InputEvent } from "../input/index.ts";
import { keyName } from "./key-name.ts";
import { onLatinKey } from "./keyboard-layouts.ts";

/** Reads chords: two keys pressed one after the other, written "ctrl+x e" in a key table. */
export class ChordReader {
  /** Keys that begin a chord. */
  readonly #first: ReadonlySet<string>;
  readonly #chords: ReadonlySet<string>;
  #begun: string | undefined;

  /** `keys`: all bound keys, including chords. */
  constructor(keys: readonly string[]) {
    this.#chords = new Set(keys);
    this.#first = new Set(keys.flatMap((key) => (key.includes(" ") ? [key.slice(0, key.indexOf(" "))] : [])));
  }

  /** The first key of a chord that is waiting for its second. */
  get begun(): string | undefined {
    return this.#begun;
  }

  /**
   * The event to look up: the second key of a chord becomes one key with both names that types nothing. Undefined: the
   * event began a chord, or Escape ended one.
   */
  take(event: InputEvent): InputEvent | undefined {
    if (event.type !== "key" && event.type !== "paste") return event;
    const begun = this.#begun;
    this.#begun = undefined;
    if (event.type === "paste") return event;
    const latin = { ...event, name: onLatinKey(event.name) };
    const key = begun === undefined && this.#first.has(keyName(latin)) ? keyName(latin) : keyName(event);
    if (begun === undefined) {
      if (!this.#first.has(key)) return event;
      this.#begun = key;
      return undefined;
    }
    if (key === "escape") return undefined;
    // The interrupt key works at any time.
    if (key === "ctrl+c") return event;
    // Releasing Ctrl late still means the plain letter.
    const second = /^ctrl\+.$/u.test(key) ? event.name : key;
    const plain = { ctrl: false, alt: false, shift: false, meta: false };
    const names = [second, onLatinKey(second)].map((each) => `${begun} ${each}`);
    const name = names.find((each) => this.#chords.has(each)) ?? `${begun} ${second}`;
    return { type: "key", name, text: "", ...plain };
  }
}
