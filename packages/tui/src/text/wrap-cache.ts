import type { Row } from "./style.ts";

/** A layout tries a few widths of one text, and forgets those of earlier sizes. */
const MAX_KEPT = 8;

/** Rows of a long text, wrapped once instead of with every key and frame. Stored with the text it wraps. */
export class WrapCache {
  readonly #rows = new Map<string, readonly Row[]>();

  /** `key`: everything that the rows depend on besides the text. */
  rows(key: string, wrap: () => readonly Row[]): readonly Row[] {
    const known = this.#rows.get(key);
    if (known) return known;
    if (this.#rows.size >= MAX_KEPT) this.#rows.clear();
    const rows = wrap();
    this.#rows.set(key, rows);
    return rows;
  }
}
