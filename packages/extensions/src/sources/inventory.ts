import type { EntryKind, Source, SourceEntry } from "./source.ts";

/** Everything that the sources of a folder bring, from the most general to the most local. */
export type Inventory = {
  sources: readonly Source[];
  /** All that was found, also what is not used. */
  entries: readonly SourceEntry[];
  /** Those that may be used. The same array for as long as the inventory is the same. */
  of(kind: EntryKind): readonly SourceEntry[];
};
