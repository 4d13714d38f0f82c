/**
 * A command that was allowed because it provably only reads: exactly these words run, not its text. `glob`: the word
 * contains `*` or `?` that stand for file names.
 */
export type CheckedWord = { text: string; glob: boolean };
export type CheckedCommand = {
  program: string;
  args: CheckedWord[];
  /** Harmless variables, such as `LC_ALL=C`. */
  env: [name: string, value: string][];
  /** `2>&1`, `>/dev/null` and the like, in shell syntax. */
  redirects: string[];
  /** The input file, from `< name`. */
  input?: string;
};
/** `joins[i]` is between command i and i + 1. */
export type CheckedLine = { commands: CheckedCommand[]; joins: ("&&" | "||" | ";" | "|")[] };
