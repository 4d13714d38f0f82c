import type { Inventory } from "./inventory.ts";
import { resolveByName } from "./resolve-by-name.ts";
import type { EntryKind, SourceEntry } from "./source.ts";

/** An entry with the files of its name that it replaces, or the one that replaces it. */
export type ListedEntry = SourceEntry & { shadows: readonly string[]; shadowedBy?: string };

/** For these kinds all files count, whatever their names. */
const ADDING_UP: ReadonlySet<EntryKind> = new Set(["prompt", "mcp", "lsp", "settings", "hook-file"]);

/** Everything that was found, with the entry in effect for each name; unused entries shadow nothing. */
export function listEntries({ entries }: Pick<Inventory, "entries">): ListedEntry[] {
  const competing = entries.filter(({ kind, problem }) => problem === undefined && !ADDING_UP.has(kind));
  const shadows = new Map<SourceEntry, readonly string[]>();
  const shadowedBy = new Map<SourceEntry, string>();
  for (const resolved of resolveByName(competing)) {
    shadows.set(
      resolved.entry,
      resolved.shadows.map(({ path }) => path),
    );
    for (const entry of resolved.shadows) shadowedBy.set(entry, resolved.entry.path);
  }
  return entries.map((entry) => {
    const by = shadowedBy.get(entry);
    return { ...entry, shadows: shadows.get(entry) ?? [], ...(by !== undefined && { shadowedBy: by }) };
  });
}
