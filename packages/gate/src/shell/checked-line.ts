/**
 * A command that was let through because it provably only reads: exactly these words, and not its text, are what runs.
 * `glob`: the word has `*` or `?` that stand for file names.
 */
export type CheckedWord = { text: string; glob: boolean };
export type CheckedCommand = {
  program: string;
  args: CheckedWord[];
  /** Harmless variables, such as `LC_ALL=C`. */
  env: [name: string, value: string][];
  /** `2>&1`, `>/dev/null` and their like, as the shell wants them. */
  redirects: string[];
  /** The file that it reads as its input, from `< name`. */
  input?: string;
};
/** `joins[i]` stands between command i and i + 1. */
export type CheckedLine = { commands: CheckedCommand[]; joins: ("&&" | "||" | ";" | "|")[] };
