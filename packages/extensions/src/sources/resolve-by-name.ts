import type { SourceEntry } from "./source.ts";

/** The entry in effect for a name, and those that it replaces, from the most general to the most local. */
export type ResolvedEntry<T> = { entry: T; shadows: readonly T[] };

/**
 * For each name the most local entry, sorted by name. Names that differ only by case are the same: not every file
 * system can tell them apart. Hooks are compared within their stage.
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
