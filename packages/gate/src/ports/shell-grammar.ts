/**
 * A word of a command as a shell reads it. `literal`: the program gets exactly `text`; otherwise part of it is only
 * known at run time.
 */
export type ShellWord = { text: string; literal: boolean };

/**
 * `operator` as written: `>`, `>>`, `2>`, `&>`, `<`, `<<<` …; the target of a here-document (`<<`, `<<-`) is its text.
 */
export type ShellRedirect = { operator: string; target: ShellWord };

/** One simple command, wherever it occurs. */
export type ShellCommand = {
  /** Program and arguments, without assignments and redirections. */
  words: ShellWord[];
  /** `NAME=value` before the program, as written. */
  assignments: string[];
  redirects: ShellRedirect[];
  /** True if its input is another command's output. */
  piped: boolean;
  /** The words of the one plain command whose output is its entire input, if that is certain. */
  inputFrom?: ShellWord[];
  /** True inside a substitution, a function, a loop …: text that runs although it does not look like it. */
  nested: boolean;
};

/** Everything that a command line may run. */
export type ShellReading = {
  commands: ShellCommand[];
  /** Why it is not fully understood; it may then run more than `commands` lists. */
  problem?: string;
};

/** Shared by the texts of one command: each reading subtracts the time it used. */
export type ReadingTime = { leftMs: number };

/** A real bash grammar. Only used to be stricter: to find hidden commands, never to allow any. */
export interface ShellGrammar {
  /** Loads the grammar once. Must not reject: `read` then returns undefined. */
  load(): Promise<void>;
  /**
   * Undefined before `load` has finished, or if the grammar is unavailable. Never throws; ends within 150 ms and within
   * the rest of `time`, with a problem if that is too short.
   */
  read(command: string, time?: ReadingTime): ShellReading | undefined;
}
