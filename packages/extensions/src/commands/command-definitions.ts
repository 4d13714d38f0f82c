import type { Inventory } from "../sources/inventory.ts";
import { ReadEntries } from "../sources/read-entries.ts";
import { resolveByName } from "../sources/resolve-by-name.ts";
import type { Source, SourceEntry } from "../sources/source.ts";
import type { SourceInventory } from "../sources/source-inventory.ts";
import { readEntryText } from "../text/read-entry-text.ts";
import { type CommandReading, type MarkdownCommand, readMarkdownCommand } from "./read-command.ts";

/** A command with its file, and the files of the same name that it takes the place of. */
export type FoundCommand = {
  name: string;
  command: MarkdownCommand;
  notes: readonly string[];
  path: string;
  source: Source;
  shadows: readonly string[];
};

/** In the order of their names; `all`: also those that others take the place of; `unused`: each with a sentence. */
export type FoundCommands = {
  commands: readonly FoundCommand[];
  all: readonly FoundCommand[];
  unused: readonly { name: string; path: string; problem: string }[];
};

/** A name that can be typed after a slash. */
export const TYPED_NAME = /^\p{L}[\p{L}\p{N}_:.-]*$/u;

type Found = Extract<CommandReading, { command: unknown }>;

/** The slash commands that people have written as Markdown files; of an unchanged file what it said is kept. */
export class CommandDefinitions {
  readonly #sources: Pick<SourceInventory, "at">;
  readonly #read = new ReadEntries(readFile);
  readonly #found = new WeakMap<Inventory, FoundCommands>();

  constructor(sources: Pick<SourceInventory, "at">) {
    this.#sources = sources;
  }

  /** The same object until something changes. Never throws. */
  at(cwd: string): FoundCommands {
    const inventory = this.#sources.at(cwd);
    const known = this.#found.get(inventory);
    if (known) return known;
    const found = this.#find(inventory);
    this.#found.set(inventory, found);
    return found;
  }

  #find({ entries }: Inventory): FoundCommands {
    const read: (SourceEntry & { reading: Found })[] = [];
    const unused: FoundCommands["unused"][number][] = [];
    for (const entry of entries.filter(({ kind, path }) => kind === "command" && /\.md$/i.test(path))) {
      const { name, path } = entry;
      const unnamed = TYPED_NAME.test(name) ? undefined : `${path} is not used: its name cannot be typed as a command.`;
      const problem = entry.problem ?? unnamed;
      if (problem !== undefined) {
        unused.push({ name, path, problem });
        continue;
      }
      const reading = this.#read.of(entry);
      if ("problem" in reading) unused.push({ name, path, problem: `${path} is not used: ${reading.problem}.` });
      else read.push({ ...entry, reading });
    }
    const found = ({ name, reading, path, source }: (typeof read)[number], shadows: readonly string[] = []) => ({
      name,
      command: reading.command,
      notes: reading.notes,
      path,
      source,
      shadows,
    });
    const commands = resolveByName(read).map(({ entry, shadows }) =>
      found(
        entry,
        shadows.map((each) => each.path),
      ),
    );
    return { commands, all: read.map((each) => found(each)), unused };
  }
}

function readFile({ path }: SourceEntry): CommandReading {
  const read = readEntryText(path);
  return "problem" in read ? read : readMarkdownCommand(read.text);
}
