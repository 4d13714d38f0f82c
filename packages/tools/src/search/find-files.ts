import type { Dirent } from "node:fs";
import { readdir as list, lstat } from "node:fs/promises";
import { dirname, isAbsolute, join } from "node:path";
import { setImmediate as nextTurn } from "node:timers/promises";
import { isBelow } from "../files/absolute-path.ts";
import { openRealFolder, realFolder } from "../files/opened-place.ts";
import { FilePatterns, type PlaceInSearch } from "./file-patterns.ts";
import { createIgnoreRules, type IgnoreRules } from "./ignore-rules.ts";

const MAX_FOUND = 200_000;
const FOLDERS_AT_ONCE = 16;
/** Comparisons of names with patterns until other work has its turn. */
const COMPARISONS_AT_ONCE = 20_000;

export type FileSearch = {
  /** Absolute, without links. */
  base: string;
  /** From `wildPatterns`: their braces are literal; a pattern without a slash matches at any depth. */
  patterns: string[];
  cwd: string;
  signal: AbortSignal;
};
export type FoundFiles = {
  /** Relative to the base, in path order. */
  files: string[];
  /** The search ended at `MAX_FOUND`, or was cancelled. */
  incomplete: boolean;
};

/**
 * Regular files below a folder that match and are not ignored. Links are never followed, and what is not below the
 * folder is neither read nor listed, whatever a pattern leads to. Throws for a bad pattern.
 */
export async function findFiles({ base, patterns, cwd, signal }: FileSearch): Promise<FoundFiles> {
  if (patterns.length === 0) return { files: [], incomplete: false };
  const wanted = new FilePatterns(patterns);
  const walk = new Walk({ base, wanted, rules: createIgnoreRules(cwd), signal });
  const named = await namedFiles(wanted.paths, base);
  const found = wanted.hasWildcards ? await walk.all() : [];
  const files = [...new Set([...named, ...found])].slice(0, MAX_FOUND);
  return { files: inPathOrder(files), incomplete: walk.isIncomplete || signal.aborted };
}

/** Files that are named in full are found even where rules ignore them; they may be behind a link. */
async function namedFiles(paths: readonly string[], base: string): Promise<string[]> {
  const inside = createInsideCheck(base);
  const found: string[] = [];
  for (const path of paths) {
    if (leaves(path) || !(await inside(dirname(join(base, path))))) continue;
    const stats = await lstat(join(base, path)).catch(() => undefined);
    if (stats?.isFile()) found.push(path);
  }
  return found;
}

function leaves(file: string): boolean {
  return isAbsolute(file) || file === "" || file.split("/").includes("..");
}

/** A file that a pattern names in full may be behind a link: checked once for each folder. */
function createInsideCheck(base: string): (folder: string) => Promise<boolean> {
  const known = new Map<string, Promise<boolean>>();
  return (folder) => {
    const answer =
      known.get(folder) ??
      realFolder(folder).then(
        (real) => isBelow(real, base),
        () => false,
      );
    known.set(folder, answer);
    return answer;
  };
}

type WalkRequest = { base: string; wanted: FilePatterns; rules: IgnoreRules; signal: AbortSignal };

/** `path`: from the base, with a slash at its end; "" for the base itself. */
type OpenPlace = { path: string; place: PlaceInSearch };

/** Goes through folders that a pattern may lead into. Ignored folders are not entered. */
class Walk {
  isIncomplete = false;
  readonly #request: WalkRequest;
  readonly #files: string[] = [];
  #compared = 0;

  constructor(request: WalkRequest) {
    this.#request = request;
  }

  async all(): Promise<string[]> {
    const { wanted, signal } = this.#request;
    const open: OpenPlace[] = [{ path: "", place: wanted.top }];
    while (open.length > 0 && !this.isIncomplete) {
      if (signal.aborted) break;
      const folders = await Promise.all(open.splice(-FOLDERS_AT_ONCE).map((each) => this.#folder(each)));
      for (const inner of folders) for (const each of inner) open.push(each);
    }
    this.isIncomplete ||= open.length > 0;
    return this.#files;
  }

  /** Adds its files; answers the folders in it that the walk goes on with. */
  async #folder({ path, place }: OpenPlace): Promise<OpenPlace[]> {
    const { base, wanted, rules } = this.#request;
    const inner: OpenPlace[] = [];
    for (const entry of await entriesIn(join(base, path), base, rules.visible).catch(() => [])) {
      this.#compared += wanted.cost;
      if (this.#compared > COMPARISONS_AT_ONCE) {
        this.#compared = 0;
        await nextTurn();
      }
      if (entry.isFile() && wanted.matches(place, path, entry.name)) this.#add(path + entry.name);
      if (!entry.isDirectory()) continue;
      const below = wanted.inside(place, path, entry.name);
      if (below) inner.push({ path: `${path}${entry.name}/`, place: below });
    }
    return inner;
  }

  #add(file: string): void {
    if (this.#files.length >= MAX_FOUND) this.isIncomplete = true;
    else this.#files.push(file);
  }
}

async function entriesIn(folder: string, base: string, visible: IgnoreRules["visible"]): Promise<Dirent[]> {
  const opened = await openRealFolder(folder);
  let entries: Dirent[];
  try {
    if (!isBelow(opened.realPath, base)) return [];
    entries = await list(opened.path, { withFileTypes: true });
  } finally {
    await opened.close();
  }
  return visible(opened.realPath, entries).catch(() => []);
}

/** Folder by folder, as a tree is printed: `a/z` comes before `a-b`. */
export function inPathOrder(paths: readonly string[]): string[] {
  const keyed = paths.map((path) => ({ path, key: path.replaceAll("/", "\0") }));
  keyed.sort((a, b) => (a.key < b.key ? -1 : a.key > b.key ? 1 : 0));
  return keyed.map(({ path }) => path);
}
