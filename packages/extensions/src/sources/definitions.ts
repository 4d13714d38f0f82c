import { readEntryText } from "../text/read-entry-text.ts";
import type { Inventory } from "./inventory.ts";
import { ReadEntries } from "./read-entries.ts";
import { resolveByName } from "./resolve-by-name.ts";
import type { EntryKind, Source, SourceEntry } from "./source.ts";
import type { SourceInventory } from "./source-inventory.ts";

/** The file of a definition, and the files of the same name that it replaces. */
export type Origin = { name: string; path: string; source: Source; shadows: readonly string[] };

/** `problem`: a sentence. `needsTrust`: all it lacks is the user's trust in its folder. */
type UnusedFile = { name: string; path: string; problem: string; needsTrust?: true };

/** `used`: in the order of their names; `all`: including those that others replace. */
export type DefinitionSet<T> = {
  used: readonly (T & Origin)[];
  all: readonly (T & Origin)[];
  unused: readonly UnusedFile[];
};

/** How to read the files of one kind; `read` returns why a file is not used as the end of a sentence. */
export type DefinitionForm<T> = {
  kind: EntryKind;
  accepts(entry: SourceEntry): boolean;
  read(text: string, entry: SourceEntry): T | { problem: string };
  nameOf(definition: T, entry: SourceEntry): string;
};

/** Definitions in Markdown files of one kind; an unchanged file is not read again. */
export class Definitions<T extends object> {
  readonly #sources: Pick<SourceInventory, "at">;
  readonly #form: DefinitionForm<T>;
  readonly #read: ReadEntries<T | { problem: string }>;
  readonly #defined = new WeakMap<Inventory, DefinitionSet<T>>();

  constructor(sources: Pick<SourceInventory, "at">, form: DefinitionForm<T>) {
    this.#sources = sources;
    this.#form = form;
    this.#read = new ReadEntries((entry) => {
      const file = readEntryText(entry.path);
      return "problem" in file ? file : form.read(file.text, entry);
    });
  }

  /**
   * Those in effect in a folder: for each name the most local file. The same object until something changes. Never
   * throws.
   */
  at(cwd: string): DefinitionSet<T> {
    const inventory = this.#sources.at(cwd);
    const known = this.#defined.get(inventory);
    if (known) return known;
    const defined = this.#define(inventory);
    this.#defined.set(inventory, defined);
    return defined;
  }

  #define({ entries }: Inventory): DefinitionSet<T> {
    const { kind, accepts, nameOf } = this.#form;
    const read: (SourceEntry & { definition: T })[] = [];
    const unused: UnusedFile[] = [];
    for (const entry of entries.filter((each) => each.kind === kind && accepts(each))) {
      const { name, path, problem, needsTrust } = entry;
      if (problem !== undefined) {
        unused.push({ name, path, problem, ...(needsTrust && { needsTrust }) });
        continue;
      }
      const reading = this.#read.of(entry);
      if ("problem" in reading) unused.push({ name, path, problem: `${path} is not used: ${reading.problem}.` });
      else read.push({ ...entry, name: nameOf(reading, entry), definition: reading });
    }
    const withOrigin = (
      { definition, name, path, source }: (typeof read)[number],
      shadows: readonly SourceEntry[] = [],
    ): T & Origin => ({ ...definition, name, path, source, shadows: shadows.map((each) => each.path) });
    return {
      used: resolveByName(read).map(({ entry, shadows }) => withOrigin(entry, shadows)),
      all: read.map((entry) => withOrigin(entry)),
      unused,
    };
  }
}
