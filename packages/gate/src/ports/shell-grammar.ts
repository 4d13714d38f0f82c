/**
 * A word of a command as a shell reads it. `literal`: the program gets exactly `text`; otherwise part of it is known
 * only when it runs.
 */
export type ShellWord = { text: string; literal: boolean };

/** `operator` as written: `>`, `>>`, `2>`, `&>`, `<`, `<<<` …; the target of a here-document (`<<`, `<<-`) is its text. */
export type ShellRedirect = { operator: string; target: ShellWord };

/** One simple command, wherever it stands. */
export type ShellCommand = {
  /** Program and arguments, without assignments and redirections. */
  words: ShellWord[];
  /** `NAME=value` before the program, as written. */
  assignments: string[];
  redirects: ShellRedirect[];
  /** Its input is another command's output. */
  piped: boolean;
  /** The words of the one plain command whose output is all its input, where that is certain. */
  inputFrom?: ShellWord[];
  /** It stands in a substitution, a function, a loop …: text that runs although it does not look like it. */
  nested: boolean;
};

/** Everything that a command line may run. */
export type ShellReading = {
  commands: ShellCommand[];
  /** Why it is not understood in whole; then it may run more than `commands` says. */
  problem?: string;
};

/** Shared by the texts of one command: reading takes away what it has used. */
export type ReadingTime = { leftMs: number };

/** A real grammar of bash. Only ever used to be stricter: to find what is hidden, never to allow. */
export interface ShellGrammar {
  /** Loads the grammar, once; must not reject: `read` then answers undefined. */
  load(): Promise<void>;
  /**
   * Undefined before `load` has ended, or when the grammar cannot be had. Never throws; ends within 150 ms, and
   * within what is left of `time`, with a problem where that is too short.
   */
  read(command: string, time?: ReadingTime): ShellReading | undefined;
}
