import { dirname, join, relative, sep } from "node:path";
import { makePrivateFolder, readRegularFile, writeOwnFile } from "@harness/host";
import type { BlobReader } from "./blob-reader.ts";
import type { StoreGit } from "./store-git.ts";
import { LINK } from "./tree-diff.ts";

const IGNORE_FILE = ".gitignore";
const MAX_BYTES = 1024 * 1024;

/** `scratch`: a folder for copies that does not exist yet; the caller removes it. */
type Surroundings = { git: StoreGit; blobs: BlobReader; root: string; scratch: string };

export function isIgnoreFile(path: string): boolean {
  return path === IGNORE_FILE || path.endsWith(`/${IGNORE_FILE}`);
}

/**
 * Returns the paths ignored by the `.gitignore` files of a stored state, or by the current ones above the folder: that
 * state does not contain files with such names. A `FileList` knows only the rules that are on disk. Throws `GitError` and file system errors.
 */
export async function ignoredBefore(tree: string, paths: readonly string[], where: Surroundings): Promise<Set<string>> {
  const { git, blobs, root, scratch } = where;
  const above = relative(git.place.workTree, root).split(sep).filter(Boolean);
  makePrivateFolder(join(scratch, ...above));
  for (const [depth] of above.entries()) copyIfThere(join(...above.slice(0, depth), IGNORE_FILE), git, scratch);
  const list = (await git.run(["ls-tree", "-r", "-z", tree])).toString("utf8").split("\0");
  for (const record of list) {
    // `<mode> <type> <oid>` TAB `<path>` (git-ls-tree(1)).
    const [, mode, oid = "", path = ""] = /^(\d+) blob ([0-9a-f]+)\t(.+)$/s.exec(record) ?? [];
    if (mode === undefined || mode === LINK || !isIgnoreFile(path)) continue;
    const copy = join(scratch, ...above, path);
    makePrivateFolder(dirname(copy));
    writeOwnFile(copy, await blobs.read(oid));
  }
  // Prefixed with a dot, so that no name is read as a pattern.
  const start = ["./", ...above.map((name) => `${name}/`)].join("");
  const input = paths.map((path) => `${start}${path}\0`).join("");
  const question = ["check-ignore", "-z", "--no-index", "--stdin"];
  const { output } = await git.tryRun(question, { input, workTree: scratch, cwd: scratch });
  return new Set(
    output
      .toString("utf8")
      .split("\0")
      .map((path) => path.slice(start.length)),
  );
}

function copyIfThere(path: string, { place }: StoreGit, scratch: string): void {
  try {
    const bytes = readRegularFile(join(place.workTree, path), { maxBytes: MAX_BYTES, followLinks: false });
    writeOwnFile(join(scratch, path), bytes);
  } catch {
    // It does not exist or cannot be read: git ignores it as well.
  }
}
