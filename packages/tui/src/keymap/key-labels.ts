import { keyLabel, keySign } from "./key-name.ts";
import type { ActionName } from "./key-tables.ts";

/** The names of the window's keys in sentences, according to the current bindings. */
export class KeyLabels {
  readonly #keymap: { keysOf(action: string): readonly string[] };

  constructor(keymap: { keysOf(action: string): readonly string[] }) {
    this.#keymap = keymap;
  }

  /** `Ctrl+O`: the first key of an action, preferably of those that work; undefined: none. */
  of(action: ActionName, works: (key: string) => boolean = () => true): string | undefined {
    const keys = this.#keymap.keysOf(action);
    const key = keys.find(works) ?? keys[0];
    return key === undefined ? undefined : keySign(key);
  }

  /** `Ctrl+X O, Alt+O`: all keys of an action; "" for none. */
  all(action: ActionName): string {
    return this.#keymap.keysOf(action).map(keyLabel).join(", ");
  }

  /** Words about the key of an action; `without`: the words if it has none. */
  say(action: ActionName, words: (key: string) => string, without = ""): string {
    const key = this.of(action);
    return key === undefined ? without : words(key);
  }

  /** `Enter open`, `↑↓ PgUp PgDn scroll`: the effect of keys; "": there are none. */
  hint(actions: ActionName | readonly ActionName[], what: string): string {
    const found = (typeof actions === "string" ? [actions] : actions).flatMap((action) => this.of(action) ?? []);
    // Arrows and letters are joined, names of keys are not.
    const signs = found.map((key, at) => (at > 0 && (key.length > 1 || found[at - 1]?.length !== 1) ? ` ${key}` : key));
    return found.length === 0 ? "" : `${signs.join("")} ${what}`;
  }

  /** ` · Ctrl+O`: the key of an action at the end of a row; "" for none. */
  tail(action: ActionName, what = ""): string {
    return this.say(action, (key) => ` · ${key}${what === "" ? "" : ` ${what}`}`);
  }
}

/** A sentence that names keys, so it is rebuilt when they change. */
export type KeySentence = (keys: KeyLabels) => string;

/** Joins hints, without the empty ones. */
export function hints(...parts: readonly string[]): string {
  return parts.filter((part) => part !== "").join(" · ");
}
