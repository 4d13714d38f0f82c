import { basename } from "node:path";
import type { AgentDefinition } from "@harness/protocol";
import type { Inventory } from "../sources/inventory.ts";
import { ReadEntries } from "../sources/read-entries.ts";
import { resolveByName } from "../sources/resolve-by-name.ts";
import type { Source, SourceEntry } from "../sources/source.ts";
import type { SourceInventory } from "../sources/source-inventory.ts";
import { readEntryText } from "../text/read-entry-text.ts";
import { type AgentReading, readAgent } from "./read-agent.ts";

/** A definition with its file, and the files of the same name that it takes the place of. */
export type FoundAgent = {
  definition: AgentDefinition;
  path: string;
  owner: Source["owner"];
  notes: readonly string[];
  shadows: readonly string[];
};

/** `problem`: a sentence. `needsTrust`: that the person trusts its folder is all it lacks. */
export type UnusedFile = { path: string; problem: string; needsTrust?: true };

/** In the order of their names. */
export type FoundAgents = { agents: readonly FoundAgent[]; unused: readonly UnusedFile[] };

type Definition = Extract<AgentReading, { definition: unknown }>;

/** The agents that people have described in files; of an unchanged file what it said is kept. */
export class AgentDefinitions {
  readonly #sources: Pick<SourceInventory, "at">;
  readonly #read = new ReadEntries(readFile);
  readonly #found = new WeakMap<Inventory, FoundAgents>();

  constructor(sources: Pick<SourceInventory, "at">) {
    this.#sources = sources;
  }

  /** Those that count in a folder; of one name the most local file. Never throws. */
  at(cwd: string): FoundAgents {
    const inventory = this.#sources.at(cwd);
    const known = this.#found.get(inventory);
    if (known) return known;
    const found = this.#find(inventory);
    this.#found.set(inventory, found);
    return found;
  }

  #find({ entries }: Inventory): FoundAgents {
    const read: (SourceEntry & { reading: Definition })[] = [];
    const unused: UnusedFile[] = [];
    for (const entry of entries.filter(({ kind }) => kind === "agent")) {
      const { path, problem, needsTrust } = entry;
      if (problem !== undefined) unused.push({ path, problem, ...(needsTrust && { needsTrust }) });
      else {
        const reading = this.#read.of(entry);
        if ("problem" in reading) unused.push({ path, problem: `${path} is not used: ${reading.problem}.` });
        else read.push({ ...entry, name: reading.definition.name, reading });
      }
    }
    const agents = resolveByName(read).map(({ entry: { reading, path, source }, shadows }) => ({
      ...reading,
      path,
      owner: source.owner,
      shadows: shadows.map((each) => each.path),
    }));
    return { agents, unused };
  }
}

function readFile({ path }: SourceEntry): AgentReading {
  const read = readEntryText(path);
  return "problem" in read ? read : readAgent(read.text, basename(path).replace(/\.md$/i, ""));
}
