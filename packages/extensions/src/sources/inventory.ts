import type { EntryKind, Source, SourceEntry } from "./source.ts";

/** Everything in the sources of a folder, from the most general to the most local. */
export type Inventory = {
  sources: readonly Source[];
  /** Everything that was found, including unused entries. */
  entries: readonly SourceEntry[];
  /** Those that may be used. The same array as long as the inventory is the same. */
  of(kind: EntryKind): readonly SourceEntry[];
};
