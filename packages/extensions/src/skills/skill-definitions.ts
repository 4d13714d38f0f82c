import { dirname } from "node:path";
import type { Inventory } from "../sources/inventory.ts";
import { ReadEntries } from "../sources/read-entries.ts";
import { resolveByName } from "../sources/resolve-by-name.ts";
import type { Source, SourceEntry } from "../sources/source.ts";
import type { SourceInventory } from "../sources/source-inventory.ts";
import { readEntryText } from "../text/read-entry-text.ts";
import { readSkill, type Skill, type SkillReading } from "./read-skill.ts";

/** A skill with its SKILL.md, and the files of the same name that it takes the place of. */
export type FoundSkill = { skill: Skill; path: string; owner: Source["owner"]; shadows: readonly string[] };

/** In the order of their names; `unused`: what was found and is none, each with a sentence. */
export type FoundSkills = {
  skills: readonly FoundSkill[];
  unused: readonly { name: string; path: string; problem: string; needsTrust?: true }[];
};

type Found = Extract<SkillReading, { skill: unknown }>;

/** The skills that people have written or installed; of an unchanged file what it said is kept. */
export class SkillDefinitions {
  readonly #sources: Pick<SourceInventory, "at">;
  readonly #read = new ReadEntries(readFile);
  readonly #found = new WeakMap<Inventory, FoundSkills>();

  constructor(sources: Pick<SourceInventory, "at">) {
    this.#sources = sources;
  }

  /** Those that count in a folder: of one name that of the project, and of those the most local. The same object until something changes. */
  at(cwd: string): FoundSkills {
    const inventory = this.#sources.at(cwd);
    const known = this.#found.get(inventory);
    if (known) return known;
    const found = this.#find(inventory);
    this.#found.set(inventory, found);
    return found;
  }

  /** Whatever its case. */
  find(cwd: string, name: string): FoundSkill | undefined {
    const wanted = name.trim().toLowerCase();
    return this.at(cwd).skills.find(({ skill }) => skill.name.toLowerCase() === wanted);
  }

  #find({ entries }: Inventory): FoundSkills {
    const read: (SourceEntry & { reading: Found })[] = [];
    const unused: FoundSkills["unused"][number][] = [];
    for (const entry of entries.filter(({ kind }) => kind === "skill")) {
      const { name, path, problem, needsTrust } = entry;
      if (problem !== undefined) {
        unused.push({ name, path, problem, ...(needsTrust && { needsTrust }) });
        continue;
      }
      const reading = this.#read.of(entry);
      if ("problem" in reading) unused.push({ name, path, problem: `${path} is not used: ${reading.problem}.` });
      else read.push({ ...entry, name: reading.skill.name, reading });
    }
    const skills = resolveByName(read).map(({ entry: { reading, path, source }, shadows }) => ({
      skill: reading.skill,
      path,
      owner: source.owner,
      shadows: shadows.map((each) => each.path),
    }));
    return { skills, unused };
  }
}

function readFile({ path }: SourceEntry): SkillReading {
  const read = readEntryText(path);
  if ("problem" in read) return read;
  const folder = dirname(path);
  return readSkill(read.text, folder.slice(folder.lastIndexOf("/") + 1));
}
