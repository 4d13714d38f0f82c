/** A search for files by their names. */
export type FileQuery = {
  /** The folder that is searched: absolute, without links. It is searched even where a rule ignores it. */
  base: string;
  /**
   * Relative to the base; braces are literal. A pattern without a slash matches names at any depth. One with a first `!` leaves
   * out a path from the base, and what is below it.
   */
  patterns: readonly string[];
  /** Where ignore rules start outside a repository. */
  cwd: string;
  signal: AbortSignal;
};

export type FoundFiles = {
  /** Relative to the folder, with `/`. */
  files: string[];
  /** There may be more: the list is at its limit, or the search was cancelled or took too long. */
  incomplete: boolean;
};

/** An entry of a folder, as the folder itself names it: a link is not a folder. */
export interface FolderEntry {
  readonly name: string;
  isDirectory(): boolean;
}

/** Which entries of folders are listed. Remembers the rules that it has read: take new ones for each walk. */
export interface IgnoreRules {
  /** The entries of a folder that are not ignored, in their order. `folder`: absolute, without links. */
  visible<Entry extends FolderEntry>(folder: string, entries: readonly Entry[]): Promise<Entry[]>;
}

/**
 * Which files are there? The one answer for all that searches, lists and completes names.
 *
 * - Files are regular files, hidden ones too.
 * - Left out is what `.gitignore` files and `.git/info/exclude` ignore, nested ones as git reads them, from the top of the
 *   repository down; outside a repository from `cwd` down. The person's own ignore file counts for `all` in a repository only.
 * - Left out is always what is called `.git`, `node_modules` or `__pycache__`.
 * - Links are neither followed nor, but for `all` in a repository, listed; nothing outside the folder is read.
 * - Secret files are listed: their names are not secret. Ask `isSecret` before their content is read.
 * - What cannot be read or is not there appears empty: nothing here throws for it.
 */
export interface FileList {
  /** The files that match, in path order, at most 200,000. A file that a pattern names in full is found even if it is ignored. */
  find(query: FileQuery): Promise<FoundFiles>;
  /**
   * All files of a folder, in no order, at most 100,000, each once; fast enough to be asked while a person types. In a
   * repository these are git's own: tracked files that a rule ignores and links are among them, and files of
   * submodules and of repositories in it are not.
   */
  all(folder: string): Promise<FoundFiles>;
  /** For those who read folders themselves. `cwd`: as in a query. */
  rules(cwd: string): IgnoreRules;
  /** May a file hold keys or passwords, by its path? */
  isSecret(path: string): boolean;
}
