import { dirname } from "node:path";
import type { MapFile } from "@harness/core";
import type { CommitHistory } from "../history/commit-history.ts";
import { pathFactor } from "../rank/path-kinds.ts";
import type { DefinedName, DefinitionReader } from "../store/definition-reader.ts";

/** Definitions that others can use by name. */
const NAME = /^[\p{L}_$][\p{L}\p{N}_$]{2,59}$/u;
/** One word in lower case, such as `run`, is also a word of many comments. */
const PLAIN = /^[\p{Ll}\p{N}]+$/u;
/** One word with a capital: the same, less often. */
const TITLED = /^\p{Lu}[\p{Ll}\p{N}]+$/u;
const PLAIN_SHARE = 0.05;
const TITLED_SHARE = 0.3;
/** A method, or what only its own file sees. */
const INNER_SHARE = 0.1;
/** Others may use the same word for something else. */
const LEAST_USES = 1;
/** A name that more files define, such as `main`, is none to look for. */
const MAX_DEFINERS = 3;
/** Look-ups take time; files that commits touch most come first. */
const MAX_FILES = 600;
const MAX_NAMES = 2_500;
const SHOWN_NAMES = 5;
/** The factor for each further file of one folder, so that the map shows more of them. */
const NEIGHBOUR = 0.8;

export type MapSources = { definitions: DefinitionReader; history: CommitHistory | undefined };

type RatedFile = MapFile & { score: number };

/** The files whose definitions are used most elsewhere, the most important first. */
export function rankedMap({ definitions, history }: MapSources, limit: number): MapFile[] {
  const activity = (path: string) => Math.log2(2 + (history?.commitCount(path) ?? 0));
  const files = definitions
    .definingFiles()
    .map(({ id, path }) => ({ id, path, prior: pathFactor(path, new Set()) * activity(path) }))
    .sort((one, other) => other.prior - one.prior || (one.path < other.path ? -1 : 1))
    .slice(0, MAX_FILES);
  const rated: RatedFile[] = [];
  let names = 0;
  for (const { id, path, prior } of files) {
    if (names >= MAX_NAMES) break;
    const own = new Map(definitions.namesOf(id).map((each) => [each.name, each]));
    names += own.size;
    const uses = [...own.values()]
      .map((each) => ({ name: each.name, uses: usesOf(each, definitions) }))
      .filter((each) => each.uses >= LEAST_USES)
      .sort((one, other) => other.uses - one.uses || (one.name < other.name ? -1 : 1))
      .slice(0, SHOWN_NAMES);
    const score = prior * uses.reduce((sum, each) => sum + Math.sqrt(each.uses), 0);
    if (score > 0) rated.push({ path, names: uses.map(({ name }) => name), score });
  }
  return spread(rated, limit);
}

/** How many other files use it, about. */
function usesOf({ name, isInner }: DefinedName, definitions: DefinitionReader): number {
  if (!NAME.test(name)) return 0;
  const definers = definitions.definerCount(name);
  if (definers > MAX_DEFINERS) return 0;
  const word = PLAIN.test(name) ? PLAIN_SHARE : TITLED.test(name) ? TITLED_SHARE : 1;
  return (Math.max(definitions.fileCount(name) - definers, 0) * word * (isInner ? INNER_SHARE : 1)) / definers;
}

/** The best first; each file of a folder makes the next one of it count less. */
function spread(files: readonly RatedFile[], limit: number): MapFile[] {
  const ofFolder = new Map<string, number>();
  const placed = [...files]
    .sort((one, other) => other.score - one.score || (one.path < other.path ? -1 : 1))
    .map(({ path, names, score }) => {
      const before = ofFolder.get(dirname(path)) ?? 0;
      ofFolder.set(dirname(path), before + 1);
      return { path, names, score: score * NEIGHBOUR ** before };
    });
  return placed
    .sort((one, other) => other.score - one.score || (one.path < other.path ? -1 : 1))
    .slice(0, limit)
    .map(({ path, names }) => ({ path, names }));
}
