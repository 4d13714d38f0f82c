import type { Dirent, readdir } from "node:fs";
import { readdir as list } from "node:fs/promises";
import { dirname, isAbsolute, join } from "node:path";
import { isBelow } from "../files/absolute-path.ts";
import { openRealFolder, realFolder } from "../files/opened-place.ts";
import { createIgnoreRules } from "./ignore-rules.ts";

const MAX_FOUND = 200_000;

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
  const { default: fastGlob } = await import("fast-glob");
  const rules = createIgnoreRules(cwd);
  const inside = createInsideCheck(base);
  const stream = fastGlob.stream(patterns, {
    cwd: base,
    dot: true,
    baseNameMatch: true,
    // The checked patterns are searched with: they must not be expanded again here.
    braceExpansion: false,
    extglob: false,
    followSymbolicLinks: false,
    suppressErrors: true,
    fs: { readdir: filteredReaddir({ base, visible: rules.visible, signal }) as typeof readdir },
  });
  const files: string[] = [];
  let incomplete = false;
  for await (const file of stream) {
    incomplete = signal.aborted || files.length >= MAX_FOUND;
    if (incomplete) break;
    const path = String(file);
    if (!leaves(path) && (await inside(dirname(join(base, path))))) files.push(path);
  }
  return { files: inPathOrder(files), incomplete: incomplete || signal.aborted };
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

type Walk = {
  base: string;
  visible(folder: string, entries: readonly Dirent[]): Promise<Dirent[]>;
  signal: AbortSignal;
};
type Listing = (error: NodeJS.ErrnoException | null, entries: Dirent[]) => void;

/**
 * Ignored folders are not entered: they are removed where the search reads folders. The start of a pattern may contain
 * a link: folders that are really elsewhere appear empty. So do all folders once the search is cancelled, since it
 * would go through the rest of a tree without a match.
 */
function filteredReaddir({ base, visible, signal }: Walk) {
  return (folder: string, _options: { withFileTypes: true }, listed: Listing) => {
    // Later, not within this call: it would call itself once for each folder that waits.
    if (signal.aborted) return void setImmediate(listed, null, []);
    entriesIn(folder, base, visible).then(
      (entries) => listed(null, entries),
      (error: NodeJS.ErrnoException) => listed(error, []),
    );
  };
}

async function entriesIn(folder: string, base: string, visible: Walk["visible"]): Promise<Dirent[]> {
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
