import type { Dirent, readdir } from "node:fs";
import { readdir as list, lstat } from "node:fs/promises";
import { dirname, isAbsolute, join, relative } from "node:path";
import { setImmediate as nextTurn } from "node:timers/promises";
import type { FileQuery, FoundFiles, IgnoreRules } from "@harness/core";
import { isWithin } from "@harness/gate";
import { openRealFolder, realFolder } from "../files/opened-place.ts";
import { FilePatterns, type PlaceInSearch } from "./file-patterns.ts";
import { createIgnoreRules } from "./ignore-rules.ts";

const MAX_FOUND = 200_000;
const FOLDERS_AT_ONCE = 16;
/** Comparisons of names with patterns before yielding to other work. */
const COMPARISONS_AT_ONCE = 20_000;

/**
 * Matching regular files below a folder that are not ignored. Links are never followed, and nothing outside the folder
 * is read or listed, whatever a pattern says.
 */
export async function findFiles({ base, patterns, cwd, signal }: FileQuery): Promise<FoundFiles> {
  if (patterns.length === 0) return { files: [], incomplete: false };
  const wanted = new FilePatterns(patterns);
  const named = await namedFiles(wanted.paths, base);
  const isWild = wanted.hasWildcards;
  const found = isWild ? await walk({ base, wanted, rules: createIgnoreRules(cwd), signal }) : nothing(signal);
  const files = [...new Set([...named, ...found.files])].slice(0, MAX_FOUND);
  return { files: inPathOrder(files), incomplete: found.incomplete };
}

const nothing = (signal: AbortSignal): FoundFiles => ({ files: [], incomplete: signal.aborted });

/** Files that are named in full are found even if rules ignore them; they may be behind a link. */
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

/** A file that a pattern names in full may be behind a link: checked once per folder. */
function createInsideCheck(base: string): (folder: string) => Promise<boolean> {
  const known = new Map<string, Promise<boolean>>();
  return (folder) => {
    const answer =
      known.get(folder) ??
      realFolder(folder).then(
        (real) => isWithin(real, base),
        () => false,
      );
    known.set(folder, answer);
    return answer;
  };
}

type Walk = { base: string; wanted: FilePatterns; rules: IgnoreRules; signal: AbortSignal };
type Listing = (error: null, entries: Dirent[]) => void;

/** Everything at any depth; `**` skips paths with a line feed. The patterns are applied when folders are read. */
const EVERYTHING = ["**", "+([\u0001-\uffff])"];

/** Walks the folders that a pattern may lead into. */
async function walk(request: Walk): Promise<FoundFiles> {
  const { default: fastGlob } = await import("fast-glob");
  const stream = fastGlob.stream(EVERYTHING, {
    cwd: request.base,
    dot: true,
    unique: false,
    concurrency: FOLDERS_AT_ONCE,
    followSymbolicLinks: false,
    suppressErrors: true,
    fs: { readdir: wantedReaddir(request) as typeof readdir },
  });
  const files: string[] = [];
  for await (const file of stream) {
    if (files.length >= MAX_FOUND) return { files, incomplete: true };
    files.push(String(file));
  }
  return { files, incomplete: request.signal.aborted };
}

/**
 * Lists the wanted files, and the folders that may contain some: ignored ones are not entered. The start of a pattern
 * may contain a link: folders that are really elsewhere appear empty. So do all folders once the search is cancelled,
 * because it would otherwise walk the rest of a tree without a match.
 */
function wantedReaddir(request: Walk) {
  const places = new Map<string, PlaceInSearch>();
  let compared = 0;

  const isWanted = (entry: Dirent, path: string, place: PlaceInSearch): boolean => {
    if (!entry.isDirectory()) return entry.isFile() && request.wanted.matches(place, path, entry.name);
    const inside = request.wanted.inside(place, path, entry.name);
    if (inside) places.set(`${path}${entry.name}/`, inside);
    return inside !== undefined;
  };

  const wantedIn = async (folder: string): Promise<Dirent[]> => {
    const path = folder === request.base ? "" : `${relative(request.base, folder)}/`;
    const place = path === "" ? request.wanted.top : places.get(path);
    places.delete(path);
    const found: Dirent[] = [];
    if (!place) return found;
    for (const entry of await entriesIn(folder, request)) {
      compared += request.wanted.cost;
      if (compared > COMPARISONS_AT_ONCE) {
        compared = 0;
        await nextTurn();
      }
      if (isWanted(entry, path, place)) found.push(entry);
    }
    return found;
  };

  return (folder: string, _options: { withFileTypes: true }, listed: Listing) => {
    // Deferred: within this call it would recurse once for each waiting folder.
    if (request.signal.aborted) return void setImmediate(listed, null, []);
    wantedIn(folder).then(
      (entries) => listed(null, entries),
      () => listed(null, []),
    );
  };
}

async function entriesIn(folder: string, { base, rules }: Walk): Promise<Dirent[]> {
  const opened = await openRealFolder(folder);
  let entries: Dirent[];
  try {
    if (!isWithin(opened.realPath, base)) return [];
    entries = await list(opened.path, { withFileTypes: true });
  } finally {
    await opened.close();
  }
  return rules.visible(opened.realPath, entries).catch(() => []);
}

/** Folder by folder, as a tree is printed: `a/z` comes before `a-b`. */
export function inPathOrder(paths: readonly string[]): string[] {
  const keyed = paths.map((path) => ({ path, key: path.replaceAll("/", "\0") }));
  keyed.sort((a, b) => (a.key < b.key ? -1 : a.key > b.key ? 1 : 0));
  return keyed.map(({ path }) => path);
}
