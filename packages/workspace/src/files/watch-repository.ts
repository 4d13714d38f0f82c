import { readdir, stat } from "node:fs/promises";
import { dirname, join, sep } from "node:path";
import { FolderWatch } from "@harness/host";
import { gitEnv } from "./git-env.ts";
import { operationFiles } from "./git-operation.ts";
import { gitPaths } from "./git-paths.ts";
import { findRepository } from "./git-state.ts";

/**
 * A system allows a user some ten thousand watches. Beyond this number, folders below the working folder and near the
 * top are preferred.
 */
const MAX_FOLDERS = 4_000;
const LIST_MS = 10_000;
/** A new folder is watched within this time. */
const LIST_AGAIN_MS = 1_000;
/** For folders without files in a new folder. */
const MAX_EMPTY = 100;

/** Files of git's own state that say where HEAD is, what is staged, and how far upstream is. */
const watchedState: ReadonlySet<string> = new Set(["HEAD", "index", "FETCH_HEAD", ...operationFiles]);

/** `watch` of a `FileList`. Idle while nothing happens. */
export async function watchRepository(folder: string, onChange: () => void): Promise<() => void> {
  const repository = await findRepository(folder);
  if (!repository) return () => undefined;
  const watched = new WatchedRepository(folder, repository, onChange);
  await watched.list();
  return () => watched.close();
}

class WatchedRepository {
  readonly #cwd: string;
  readonly #root: string;
  readonly #gitDir: string;
  readonly #watch: FolderWatch;
  readonly #onChange: () => void;
  /** New folders that git has not been asked about. */
  readonly #made = new Set<string>();
  /** Folders unknown to git because they contain no files. */
  #empty: ReadonlySet<string> = new Set();
  #timer: NodeJS.Timeout | undefined;
  #listing = Promise.resolve();
  #closed = false;

  constructor(cwd: string, { root, gitDir }: { root: string; gitDir: string }, onChange: () => void) {
    this.#cwd = cwd;
    this.#root = root;
    this.#gitDir = gitDir;
    this.#onChange = onChange;
    this.#watch = new FolderWatch({
      maxFolders: MAX_FOLDERS,
      onChange: (folder, name) => {
        if (folder === gitDir ? name === undefined || !watchedState.has(name) : name === ".git") return;
        if (this.#empty.has(folder)) this.#listSoon();
        if (folder !== gitDir && name !== undefined) void this.#noteNew(join(folder, name));
        onChange();
      },
    });
    this.#watch.set([gitDir, root]);
  }

  /**
   * Finds the folders in which git has files, and watches them. Files that changed there while git ran count as a
   * change too.
   */
  async list(): Promise<void> {
    const files = await gitPaths(this.#root, "all", { env: gitEnv(this.#root), timeoutMs: LIST_MS });
    if (files === undefined || this.#closed) return;
    const folders = [...foldersOf(files)].map((folder) => join(this.#root, folder));
    const empty = await this.#emptyBeside(new Set(folders));
    if (this.#closed) return;
    const [here, near] = [this.#cwd + sep, (folder: string) => folder.split(sep).length];
    const rank = (folder: string): number => near(folder) + (`${folder}${sep}`.startsWith(here) ? 0 : 1_000);
    const ranked = folders.toSorted((a, b) => rank(a) - rank(b));
    if (this.#watch.set([this.#gitDir, this.#root, ...ranked, ...empty])) this.#onChange();
  }

  close(): void {
    this.#closed = true;
    clearTimeout(this.#timer);
    this.#watch.close();
  }

  /** A new folder must be watched, unless git ignores it. */
  async #noteNew(path: string): Promise<void> {
    if (this.#watch.has(path)) return;
    const info = await stat(path).catch(() => undefined);
    if (!info?.isDirectory()) return;
    this.#made.add(path);
    this.#listSoon();
  }

  #listSoon(): void {
    if (this.#closed) return;
    this.#timer ??= setTimeout(() => {
      this.#timer = undefined;
      this.#listing = this.#listing.then(() => this.list());
    }, LIST_AGAIN_MS).unref();
  }

  /** The new folders that stay unknown to git until there is a file in them. */
  async #emptyBeside(known: ReadonlySet<string>): Promise<string[]> {
    const folders = [...this.#made, ...this.#empty].filter((folder) => !known.has(folder));
    this.#made.clear();
    const empty = new Set((await Promise.all(folders.map(emptyFolders))).flat());
    this.#empty = empty;
    return [...empty];
  }
}

/**
 * A folder without any file, and its subfolders; none if it contains a file: git then lists the folder, or ignores it.
 */
async function emptyFolders(folder: string): Promise<string[]> {
  const found = [folder];
  for (const each of found) {
    const entries = await readdir(each, { withFileTypes: true }).catch(() => undefined);
    if (!entries || found.length > MAX_EMPTY || entries.some((entry) => !entry.isDirectory())) return [];
    found.push(...entries.map(({ name }) => join(each, name)));
  }
  return found;
}

/** The folders that contain files, and their parents, as paths in the repository. */
function foldersOf(files: readonly string[]): Set<string> {
  const folders = new Set<string>();
  for (const file of files) {
    for (let folder = dirname(file); folder !== "." && !folders.has(folder); folder = dirname(folder))
      folders.add(folder);
  }
  return folders;
}
