import type { Row } from "./style.ts";

/** Rows of a long text, wrapped once instead of with every key and frame. Stored with the text it wraps. */
export class WrapCache {
  #key: string | undefined;
  #rows: readonly Row[] = [];

  /** `key`: everything that the rows depend on besides the text. */
  rows(key: string, wrap: () => readonly Row[]): readonly Row[] {
    if (key !== this.#key) this.#rows = wrap();
    this.#key = key;
    return this.#rows;
  }
}
