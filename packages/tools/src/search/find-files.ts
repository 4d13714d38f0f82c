import { type Dirent, readdir } from "node:fs";
import { createIgnoreRules } from "./ignore-rules.ts";

const MAX_FOUND = 200_000;

export type FileSearch = {
  /** Absolute, without links. */
  base: string;
  /** Checked by `wildProblem`; without a slash it matches at any depth. */
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

/** Regular files below a folder that match and are not ignored. Links are never followed. Throws for a bad pattern. */
export async function findFiles({ base, patterns, cwd, signal }: FileSearch): Promise<FoundFiles> {
  const { default: fastGlob } = await import("fast-glob");
  const rules = createIgnoreRules(cwd);
  const stream = fastGlob.stream(patterns, {
    cwd: base,
    dot: true,
    baseNameMatch: true,
    extglob: false,
    followSymbolicLinks: false,
    suppressErrors: true,
    fs: { readdir: filteredReaddir(rules.visible) as typeof readdir },
  });
  const files: string[] = [];
  let incomplete = false;
  for await (const file of stream) {
    incomplete = signal.aborted || files.length >= MAX_FOUND;
    if (incomplete) break;
    files.push(String(file));
  }
  return { files: inPathOrder(files), incomplete };
}

type Listing = (error: NodeJS.ErrnoException | null, entries: Dirent[]) => void;

/** Ignored folders are not entered at all, as they are left out where the search reads folders. */
function filteredReaddir(visible: (folder: string, entries: readonly Dirent[]) => Promise<Dirent[]>) {
  return (folder: string, _options: { withFileTypes: true }, listed: Listing) => {
    readdir(folder, { withFileTypes: true }, (error, entries) => {
      if (error) listed(error, []);
      else
        visible(folder.replace(/(.)\/+$/, "$1"), entries).then(
          (left) => listed(null, left),
          () => listed(null, []),
        );
    });
  };
}

/** Folder by folder, as a tree is printed: `a/z` comes before `a-b`. */
export function inPathOrder(paths: readonly string[]): string[] {
  const keyed = paths.map((path) => ({ path, key: path.replaceAll("/", "\0") }));
  keyed.sort((a, b) => (a.key < b.key ? -1 : a.key > b.key ? 1 : 0));
  return keyed.map(({ path }) => path);
}
