import type { SourceEntry } from "./source.ts";

/** The one of a name that counts, and those that it takes the place of, from the most general to the most local. */
export type ResolvedEntry<T> = { entry: T; shadows: readonly T[] };

/**
 * Of each name the most local entry, in the order of the names. Names that differ by case only are the same: not every
 * file system could hold them apart. Hooks are compared within their stage.
 */
export function resolveByName<T extends Pick<SourceEntry, "kind" | "name" | "stage">>(
  entries: readonly T[],
): ResolvedEntry<T>[] {
  const found = new Map<string, ResolvedEntry<T>>();
  for (const entry of entries) {
    const key = [entry.kind, entry.stage, entry.name.toLowerCase()].join("\n");
    const other = found.get(key);
    found.set(key, { entry, shadows: other ? [...other.shadows, other.entry] : [] });
  }
  return [...found.values()].sort((a, b) => (a.entry.name < b.entry.name ? -1 : 1));
}
