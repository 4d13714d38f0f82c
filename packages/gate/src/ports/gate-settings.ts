/** The settings of the gate. */
export type GateSettings = {
  /** Ask before reads in the workspace as well. */
  strict: boolean;
  autoAcceptSafeCommands: boolean;
  /** Beginnings of commands besides the built-in ones; with `!` before it: not that built-in one. Null: there are none. */
  safeCommandPrefixes: readonly string[] | null;
  deniedCommandPrefixes: readonly string[];
  /** Why a file that may deny or restrict cannot be read in whole, in sentences: until it can, harness asks about everything. */
  unreadable?: readonly string[];
  /** Absolute; they count as the workspace. */
  additionalDirectories: readonly string[];
  /**
   * Real paths of other folders that are read like the workspace but not written: the folders of skills. Absent: none.
   */
  readableFolders?: readonly string[];
  /** Real paths of files and folders that trusted hooks, servers and the like run: a write is asked about. Absent: none. */
  runFiles?: readonly string[];
  /** Keep the files before each turn that may change them. */
  checkpoints: boolean;
};

/** Rules of a run or of settings, as `tool` or `tool(pattern)`; deny beats allow. */
export type SessionRules = { allow: readonly string[]; deny: readonly string[] };
