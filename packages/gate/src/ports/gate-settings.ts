/** The settings of the gate. */
export type GateSettings = {
  /** Ask before reads in the workspace as well. */
  strict: boolean;
  autoAcceptSafeCommands: boolean;
  /** Command prefixes in addition to the built-in ones; a leading `!` removes a built-in one. Null: none at all. */
  safeCommandPrefixes: readonly string[] | null;
  deniedCommandPrefixes: readonly string[];
  /**
   * Why files that may deny or restrict cannot be read completely, in sentences; harness asks about everything until
   * they can.
   */
  unreadable?: readonly string[];
  /** Absolute; they count as the workspace. */
  additionalDirectories: readonly string[];
  /** Real paths of other folders that may be read like the workspace but not written: skill folders. Absent: none. */
  readableFolders?: readonly string[];
  /**
   * Real paths of files and folders that trusted hooks, servers and the like run; writes to them are asked about.
   * Absent: none.
   */
  runFiles?: readonly string[];
  /** Save the files before each turn that may change them. */
  checkpoints: boolean;
};

/** Rules of a run or of settings, as `tool` or `tool(pattern)`; deny beats allow. */
export type SessionRules = { allow: readonly string[]; deny: readonly string[] };
