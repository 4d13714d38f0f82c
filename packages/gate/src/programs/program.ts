import type { CheckedCommand, CheckedWord } from "../shell/checked-line.ts";
import type { ArgumentReading } from "./arguments/argument-reading.ts";
import type { OptionSpec } from "./arguments/operands.ts";
import type { StartReader, Wrapper } from "./starts/started-commands.ts";

/**
 * The system that runs a command: `process.platform`, the real file of the program, and whether a file is called so where
 * it runs; absent: none is.
 */
export type RunSystem = { platform: string; file: string; isThere?: (path: string) => boolean };

/** A command as it is run. `input`: what is open to the program besides its words, by number. */
export type CommandToRun = { words: string[]; input?: readonly [fd: number, text: string] };

/**
 * Adds flags that keep an allowed command to reading, whatever settings and folders hold. `words` are its arguments,
 * `end` counts those before the place where flags end, `flags` are the names of those given.
 */
export type Hardening = (
  words: readonly string[],
  given: { command: CheckedCommand; flags: readonly string[]; end: number; system: RunSystem },
) => CommandToRun;

/** Files by the words of a command; in `folders` it writes files that its words do not name. */
export type FileWords = { written: string[]; read: string[]; folders: string[] };

/** Why a call of the program is dangerous; `operands` are the arguments that are not options. */
export type Warning = string | ((args: readonly string[], operands: readonly string[]) => string | undefined);

/** Everything known about a program. */
export type Program = Readonly<{
  // These fields may allow the program to run. They are exact: everything else is asked about.

  /** Reads its arguments where it only reads; undefined: nothing is known of them. Absent: it never runs unasked. */
  reads?: (args: readonly CheckedWord[]) => ArgumentReading | undefined;
  /** Words that ask for its version, each alone. */
  version?: string;
  harden?: Hardening;
  /** Whether it opens files that its arguments do not name; absent, undefined: only through patterns of names. */
  readsOpenly?: boolean | ((args: readonly CheckedWord[]) => boolean | undefined);
  /** It is a command of the shell itself. */
  builtin?: "harmless" | "changes the shell";

  /** Its name may have a version or a kind behind it: `python3.11`, `mkfs.ext4`. */
  versioned?: true;

  // These fields may only forbid, warn and propose. Too much is better than too little.

  /** It starts the command behind its options; `anywhere`: one may begin at any word; `input`: one made of its input. */
  starts?: Wrapper | "anywhere" | "input";
  /** Its subcommands behind which a command stands. */
  startingSubcommands?: readonly string[];
  /** Finds further commands that it starts. */
  start?: StartReader;
  shell?: true;
  /** Its words are a text for a shell. */
  takesText?: true;
  /** The options behind which a program in its own language stands. */
  code?: RegExp;
  /** Its first operand is a program in its own language. */
  takesProgram?: true;
  /** Its words may make it run any program, in yet other ways. */
  evaluates?: true;
  /** Options whose value a shell or the program itself runs. */
  runsOption?: OptionSpec;
  /** It runs what it reads from its input, or only what is piped into it. */
  runsInput?: (args: readonly string[]) => boolean;
  runsPiped?: (args: readonly string[]) => boolean;
  /** It is an editor or a pager that runs commands behind `!`. */
  editor?: true;

  /** The operands that it writes: all, all but the first, or the last, while it reads the others. */
  writes?: "all" | "first" | "later" | "last";
  /** The files that it writes are gone afterwards. */
  removes?: true;
  /** It puts something else in the place of what it writes, or changes it by itself, and does not only open it. */
  replaces?: true | ((args: readonly string[]) => boolean);
  /** The operands that it reads; `later`: the first is a pattern or a program. */
  inspects?: "all" | "later";
  /** Options that have a value, so that it is not taken for an operand. */
  valued?: RegExp;
  /** Options that name a file to write, and to read. */
  outputs?: OptionSpec;
  sources?: OptionSpec;
  files?: (args: readonly string[]) => Partial<FileWords>;
  /** It opens none of its operands to read what is in them. */
  opensNothing?: true | ((args: readonly string[]) => boolean);
  /** Folders, or lists of names, whose files it reads though its words do not name them. */
  opens?: (args: readonly string[]) => readonly string[];
  /** The options behind which a text for people stands. */
  texts?: RegExp;
  /** It may print what is in files that its words do not name, if it runs as it was written. */
  printsFiles?: (args: readonly string[]) => boolean;

  /** The words that name hosts; `copies`: operands such as `host:path`, `refs`: any word such as `user@host:path`. */
  hosts?: "operands" | "first" | "copies" | "refs";
  hostValued?: RegExp;
  /** The danger of what it does in the network. */
  sends?: Warning;

  /** Asked in every mode. */
  danger?: Warning;
  /** It is dangerous for whole folders: always, or when it is recursive. */
  wholeFolders?: "always" | "recursive";
  risk?: Warning;
  /** It removes or overwrites: a checkpoint is wanted before. */
  destructive?: true | ((args: readonly string[]) => boolean);
  /** Its name, or these words behind it, say too little to be allowed for good. */
  wide?: true | RegExp;
  /** How many words say what it does, with its own name; with one of the subcommands `longer`, three. */
  nameWords?: 2 | 3;
  longer?: string;
  /** It looks or waits and changes nothing; used for what may run side by side. */
  quiet?: true | ((args: readonly string[]) => boolean);
  /** Its words are never commands. */
  plainWords?: true;
  /** Its options are words behind one dash. */
  wordOptions?: true;
  /** `-r` and `-f` are `--recursive` and `--force` to it. */
  longNames?: true;
}>;

/** Rows by the names of programs; several names of one row stand apart by blanks. */
export type Programs = Readonly<Record<string, Program>>;
