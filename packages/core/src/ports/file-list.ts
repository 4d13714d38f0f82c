/** A search for files by name. */
export type FileQuery = {
  /** The folder to search: absolute, without links. It is searched even if a rule ignores it. */
  base: string;
  /**
   * Relative to the base; braces are literal. A pattern without a slash matches names at any depth. A leading `!`
   * excludes a path relative to the base, and everything below it.
   */
  patterns: readonly string[];
  /** Where ignore rules start outside a repository. */
  cwd: string;
  signal: AbortSignal;
};

export type FoundFiles = {
  /** Relative to the folder, with `/`. */
  files: string[];
  /** There may be more: the list is at its limit, or the search was cancelled or timed out. */
  incomplete: boolean;
};

/** An entry of a folder, as the folder itself names it: a link is not a folder. */
export interface FolderEntry {
  readonly name: string;
  isDirectory(): boolean;
}

/** Decides which entries of folders are listed. Caches the rules it has read, so create a new one for each walk. */
export interface IgnoreRules {
  /** The entries of a folder that are not ignored, in their order. `folder`: absolute, without links. */
  visible<Entry extends FolderEntry>(folder: string, entries: readonly Entry[]): Promise<Entry[]>;
}

/**
 * The one source of file lists, for everything that searches, lists and completes names.
 *
 * - Files are regular files, including hidden ones.
 * - It leaves out files that `.gitignore` files and `.git/info/exclude` ignore, with nested ones read as git does, from
 *   the top of the repository down; outside a repository from `cwd` down. The user's own ignore file counts only for
 *   `all` in a repository.
 * - It always leaves out `.git`, `node_modules` and `__pycache__`.
 * - Links are not followed, and are listed only by `all` in a repository; nothing outside the folder is read.
 * - Secret files are listed: their names are not secret. Ask `isSecret` before reading their content.
 * - Missing and unreadable folders appear empty: nothing here throws for them.
 */
export interface FileList {
  /**
   * The matching files in path order, at most 200,000. A file that a pattern names in full is found even if it is
   * ignored.
   */
  find(query: FileQuery): Promise<FoundFiles>;
  /**
   * All files of a folder, unordered, at most 100,000, each once; fast enough to call while the user types. In a
   * repository these are git's own: they include tracked files that a rule ignores and links, but not files of
   * submodules and nested repositories.
   */
  all(folder: string): Promise<FoundFiles>;
  /** For callers that read folders themselves. `cwd`: as in a query. */
  rules(cwd: string): IgnoreRules;
  /** True if a file may hold keys or passwords, judging by its path. */
  isSecret(path: string): boolean;
}
