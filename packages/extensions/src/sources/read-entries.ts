import type { SourceEntry } from "./source.ts";

const MAX_KNOWN = 5_000;

/** Caches the content of entries; a file is read again only when its stamp changes. */
export class ReadEntries<T> {
  readonly #read: (entry: SourceEntry) => T;
  readonly #known = new Map<string, { stamp: string; value: T }>();

  constructor(read: (entry: SourceEntry) => T) {
    this.#read = read;
  }

  of(entry: SourceEntry): T {
    const { path, stamp } = entry;
    const known = this.#known.get(path);
    if (known?.stamp === stamp) return known.value;
    const value = this.#read(entry);
    if (this.#known.size >= MAX_KNOWN) this.#known.clear();
    this.#known.set(path, { stamp, value });
    return value;
  }
}
