import { realpathSync } from "node:fs";
import { basename, join } from "node:path";
import { fileStamp, isSettled, readRegularFile } from "@harness/host";
import type { AgentDefinition } from "@harness/protocol";
import { findSources, namesIn, type Source, type SourcePlaces } from "../sources/sources.ts";
import { type AgentReading, MAX_BYTES, readAgent } from "./read-agent.ts";

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

export type AgentPlaces = SourcePlaces & {
  /** May a file of a project have an effect in this folder? */
  isTrusted(cwd: string, file: string): boolean;
};

type ReadFile = { path: string; owner: Source["owner"]; reading: AgentReading };
type Known = { looked: readonly string[]; stamp: string; files: readonly ReadFile[] };

const MAX_FILES = 500;
/** Folders whose files are kept in mind. */
const MAX_KNOWN = 20;

/** The agents that people have described in files, found again at the cost of a stat for each while nothing has changed. */
export class AgentDefinitions {
  readonly #places: AgentPlaces;
  readonly #known = new Map<string, Known>();

  constructor(places: AgentPlaces) {
    this.#places = places;
  }

  /** Those that count in a folder; of one name the most local file. Never throws. */
  at(cwd: string): FoundAgents {
    const found = new Map<string, FoundAgent>();
    const unused: UnusedFile[] = [];
    for (const { path, owner, reading } of this.#files(cwd)) {
      if (owner === "project" && !this.#places.isTrusted(cwd, path)) {
        unused.push({ path, problem: `${path} is not used: its folder is not trusted.`, needsTrust: true });
      } else if ("problem" in reading) {
        unused.push({ path, problem: `${path} is not used: ${reading.problem}.` });
      } else {
        const { definition, notes } = reading;
        const key = definition.name.toLowerCase();
        const other = found.get(key);
        const shadows = other ? [...other.shadows, other.path] : [];
        found.set(key, { definition, path, owner, notes, shadows });
      }
    }
    const agents = [...found.values()].sort((a, b) => (a.definition.name < b.definition.name ? -1 : 1));
    return { agents, unused };
  }

  #files(cwd: string): readonly ReadFile[] {
    const known = this.#known.get(cwd);
    if (known && known.stamp === stampOf(known.looked)) return known.files;
    return this.#read(cwd);
  }

  #read(cwd: string): readonly ReadFile[] {
    const startedAt = Date.now();
    const { sources, looked } = findSources(cwd, this.#places);
    const files: ReadFile[] = [];
    for (const { folder, owner } of sources) {
      const agents = join(folder, "agents");
      looked.push(agents);
      for (const name of namesIn(agents).filter((each) => /(?<!^readme)\.md$/i.test(each))) {
        if (files.length >= MAX_FILES) break;
        const path = join(agents, name);
        looked.push(path);
        files.push({ path, owner, reading: readFile(path) });
      }
    }
    this.#known.delete(cwd);
    if (looked.every((path) => isSettled(path, startedAt))) {
      this.#known.set(cwd, { looked, stamp: stampOf(looked), files });
      const [oldest] = this.#known.keys();
      if (this.#known.size > MAX_KNOWN && oldest !== undefined) this.#known.delete(oldest);
    }
    return files;
  }
}

function stampOf(paths: readonly string[]): string {
  return paths.map(fileStamp).join("\n");
}

function readFile(path: string): AgentReading {
  try {
    const bytes = readRegularFile(realpathSync(path), { maxBytes: MAX_BYTES, followLinks: false });
    return readAgent(bytes.toString("utf8"), basename(path).replace(/\.md$/i, ""));
  } catch (error) {
    return { problem: error instanceof Error ? `it cannot be read (${error.message})` : "it cannot be read" };
  }
}
