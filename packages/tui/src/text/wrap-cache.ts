import type { Row } from "./style.ts";

/** Rows of a long text, wrapped once and not with every key and frame. It belongs to what it wraps, and goes with it. */
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
