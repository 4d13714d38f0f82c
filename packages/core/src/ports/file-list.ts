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

/** Which files undo saves, as rules of git. Secret files are left out besides: ask `isSecret`. */
export type UndoRules = {
  /** The folder whose `.gitignore` files count, with those below it: absolute, without links. */
  top: string;
  /** Lines that count besides, as in the `.git/info/exclude` of `top` (gitignore(5)). */
  exclude: string;
};

/**
 * The one source of file lists, for everything that searches, lists, completes, watches and saves files.
 *
 * - Files are regular files, including hidden ones.
 * - It leaves out files that `.gitignore` files and `.git/info/exclude` ignore, with nested ones read as git does, from
 *   the top of the repository down; outside a repository from `cwd` down. The user's own ignore file counts only for
 *   `all` and `watch` in a repository.
 * - It always leaves out `.git`, `node_modules` and `__pycache__`; for undo, the last two only outside a repository, and
 *   locks and swap files of editors.
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
  /**
   * For undo, which compares many files after each turn and has git's index do it: files, links, and those of nested
   * repositories. `folder`: absolute, without links; saved even if a rule ignores it. `leaveOut`: folders with nothing
   * of the user's, absolute.
   */
  undoRules(folder: string, leaveOut: readonly string[]): Promise<UndoRules>;
  /** True if a file may hold keys or passwords, judging by its path. */
  isSecret(path: string): boolean;
  /**
   * Calls `onChange` when a file of the folder's repository, its HEAD or its index may have changed, until the returned
   * function is called. The content of ignored folders is not watched. Outside a repository nothing is watched.
   */
  watch(folder: string, onChange: () => void): Promise<() => void>;
}

/** The part that tools need. */
export type FileFinder = Pick<FileList, "find" | "all" | "rules" | "isSecret">;
