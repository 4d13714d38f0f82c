import type { Inventory } from "../sources/inventory.ts";
import { ReadEntries } from "../sources/read-entries.ts";
import type { Source } from "../sources/source.ts";
import type { SourceInventory } from "../sources/source-inventory.ts";
import type { HookEvent } from "./hook-event.ts";
import { type ClaudeHook, readHookFile } from "./hook-file.ts";

/** A hook with its file. */
export type FoundClaudeHook = ClaudeHook & { path: string; source: Source };

/** The hooks of a folder by event, the most general first; all of them run. */
export type ClaudeHookSet = {
  of(event: HookEvent): readonly FoundClaudeHook[];
  /** The files that were read, with sentences about parts without effect. */
  readonly files: readonly { path: string; source: Source; problems: readonly string[] }[];
};

const NONE: readonly FoundClaudeHook[] = [];
const EMPTY: ClaudeHookSet = { of: () => NONE, files: [] };

/** The hooks in Claude's format for a folder: the user's own, and those of trusted projects. */
export class ClaudeHooks {
  readonly #sources: Pick<SourceInventory, "at">;
  readonly #read = new ReadEntries(({ path }) => readHookFile(path));
  readonly #found = new WeakMap<Inventory, ClaudeHookSet>();

  constructor(sources: Pick<SourceInventory, "at">) {
    this.#sources = sources;
  }

  /** The same object as long as nothing has changed. */
  at(cwd: string): ClaudeHookSet {
    const inventory = this.#sources.at(cwd);
    const entries = inventory.of("hook-file");
    if (entries.length === 0) return EMPTY;
    const known = this.#found.get(inventory);
    if (known) return known;
    const files = entries.map((entry) => ({ entry, file: this.#read.of(entry) }));
    const all = files.flatMap(({ entry: { path, source }, file }) =>
      file.hooks.map((hook): FoundClaudeHook => ({ ...hook, path, source })),
    );
    const byEvent = Map.groupBy(all, ({ event }) => event);
    const set: ClaudeHookSet = {
      of: (event) => byEvent.get(event) ?? NONE,
      files: files.map(({ entry: { path, source }, file }) => ({ path, source, problems: file.problems })),
    };
    this.#found.set(inventory, set);
    return set;
  }
}
