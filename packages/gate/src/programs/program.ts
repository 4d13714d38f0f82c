import type { CheckedCommand, CheckedWord } from "../shell/checked-line.ts";
import type { ArgumentReading } from "./arguments/argument-reading.ts";
import type { OptionSpec } from "./arguments/operands.ts";
import type { StartReader, Wrapper } from "./starts/started-commands.ts";

/**
 * The system that runs a command: `process.platform`, the real file of the program, and whether a file of some name
 * exists where it runs; absent: none does.
 */
export type RunSystem = { platform: string; file: string; isThere?: (path: string) => boolean };

/** A command as it will run. `input`: an extra file descriptor with a text for the program. */
export type CommandToRun = { words: string[]; input?: readonly [fd: number, text: string] };

/**
 * Adds flags that keep an allowed command read-only, whatever settings and folders contain. `words` are its arguments,
 * `end` counts those before the place where flags end, `flags` are the names of the given flags.
 */
export type Hardening = (
  words: readonly string[],
  given: { command: CheckedCommand; flags: readonly string[]; end: number; system: RunSystem },
) => CommandToRun;

/** Files named by the words of a command; in `folders` it writes files that its words do not name. */
export type FileWords = { written: string[]; read: string[]; folders: string[] };

/** Why a call of the program is dangerous; `operands` are the arguments that are not options. */
export type Warning = string | ((args: readonly string[], operands: readonly string[]) => string | undefined);

/** Everything known about a program. */
export type Program = Readonly<{
  // These fields may allow the program to run. They are exact: everything else is asked about.

  /**
   * Reads the arguments of a call that only reads; undefined: nothing is known of them. Absent: it never runs unasked.
   */
  reads?: (args: readonly CheckedWord[]) => ArgumentReading | undefined;
  /** Words that ask for its version when given alone. */
  version?: string;
  harden?: Hardening;
  /** Whether it opens files that its arguments do not name; absent, undefined: only through file patterns. */
  readsOpenly?: boolean | ((args: readonly CheckedWord[]) => boolean | undefined);
  /** It is a builtin of the shell. */
  builtin?: "harmless" | "changes the shell";

  /** A version or variant may follow its name: `python3.11`, `mkfs.ext4`. */
  versioned?: true;

  // These fields may only forbid, warn and propose. Too much is better than too little.

  /**
   * It starts the command after its options; `anywhere`: one may begin at any word; `input`: one made from its input.
   */
  starts?: Wrapper | "anywhere" | "input";
  /** Its subcommands that are followed by a command. */
  startingSubcommands?: readonly string[];
  /** Finds further commands that it starts. */
  start?: StartReader;
  shell?: true;
  /** Its words are a text for a shell. */
  takesText?: true;
  /** The options that introduce a program in its own language. */
  code?: RegExp;
  /** Its first operand is a program in its own language. */
  takesProgram?: true;
  /** Its words may make it run any program in other ways. */
  evaluates?: true;
  /** Options whose value a shell or the program itself runs. */
  runsOption?: OptionSpec;
  /** It runs its input, or only what is piped into it. */
  runsInput?: (args: readonly string[]) => boolean;
  runsPiped?: (args: readonly string[]) => boolean;
  /** It is an editor or a pager that runs commands after `!`. */
  editor?: true;

  /** The operands that it writes: all, all but the first, or the last, while it reads the others. */
  writes?: "all" | "first" | "later" | "last";
  /** It removes the files listed as written. */
  removes?: true;
  /** It replaces what it writes or changes it itself, rather than only opening it. */
  replaces?: true | ((args: readonly string[]) => boolean);
  /** The operands that it reads; `later`: the first is a pattern or a program. */
  inspects?: "all" | "later";
  /** Options with a value, so that the value is not taken as an operand. */
  valued?: RegExp;
  /** Options that name a file to write, and to read. */
  outputs?: OptionSpec;
  sources?: OptionSpec;
  files?: (args: readonly string[]) => Partial<FileWords>;
  /** It opens none of its operands to read their contents. */
  opensNothing?: true | ((args: readonly string[]) => boolean);
  /** Folders, or lists of names, whose files it reads although its words do not name them. */
  opens?: (args: readonly string[]) => readonly string[];
  /** The options that introduce a text for people. */
  texts?: RegExp;
  /** It may print files that its words do not name, if it runs as written. */
  printsFiles?: (args: readonly string[]) => boolean;

  /** The words that name hosts; `copies`: operands such as `host:path`, `refs`: any word such as `user@host:path`. */
  hosts?: "operands" | "first" | "copies" | "refs";
  hostValued?: RegExp;
  /** The danger of its use of the network. */
  sends?: Warning;

  /** Asked in every mode. */
  danger?: Warning;
  /** It is dangerous for whole folders: always, or if it is recursive. */
  wholeFolders?: "always" | "recursive";
  risk?: Warning;
  /** It removes or overwrites files, so that a checkpoint is wanted first. */
  destructive?: true | ((args: readonly string[]) => boolean);
  /** Its name, or these words after it, say too little for a permanent rule. */
  wide?: true | RegExp;
  /** How many words, including its name, say what it does; with one of the subcommands `longer`, three. */
  nameWords?: 2 | 3;
  longer?: string;
  /** It reads or waits and changes nothing; used to decide what may run concurrently. */
  quiet?: true | ((args: readonly string[]) => boolean);
  /** Its words are never commands. */
  plainWords?: true;
  /** Its options are words after a single dash. */
  wordOptions?: true;
  /** It accepts `--recursive` and `--force` for `-r` and `-f`. */
  longNames?: true;
}>;

/** Rows by program name; several names of one row are separated by blanks. */
export type Programs = Readonly<Record<string, Program>>;
