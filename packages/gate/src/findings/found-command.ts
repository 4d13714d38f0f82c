import { isWithin, resolvePath } from "../places/path-place.ts";
import type { GitAliases } from "../ports/repositories.ts";
import type { ShellCommand, ShellWord } from "../ports/shell-grammar.ts";
import { programName } from "../shell/command-text.ts";

/**
 * Where a command runs. Absolute paths; `roots` are the workspace folders, the session's own first. `aliases`: git's
 * aliases there; absent: git was not asked.
 */
export type CommandLocation = {
  cwd: string;
  roots: readonly string[];
  home?: string;
  aliases?: (folder: string) => GitAliases | undefined;
};

/** A command that may run. */
export type FoundCommand = ShellCommand & {
  /** The folder it runs in, as far as plain `cd` commands show. */
  cwd: string;
  /** True if another program or a text read by a shell starts it. */
  behind: boolean;
};

/** Longer commands are not examined in full and get a problem. */
export const MAX_CHARACTERS = 10_000;

/** As words, with the program's base name. */
export function normalizedWords({ words }: { words: readonly Pick<ShellWord, "text">[] }): string[] {
  const [first = "", ...rest] = words.map(({ text }) => text);
  return [programName(first), ...rest];
}

const home = /^(?:~(?=\/|$)|\$HOME\b|\$\{HOME\b[^}]*\})/;
const workFolder = /^(?:\$PWD\b|\$\{PWD\b[^}]*\})/;

/** Replaces an unknown home folder; it is not in any workspace. */
export const UNKNOWN_HOME = "/~";

/** The absolute path that a word names; parts known only at run time are kept as written. */
export function resolveWord(text: string, cwd: string, location: CommandLocation): string {
  const inHome = text.replace(home, () => location.home ?? UNKNOWN_HOME);
  return resolvePath(
    cwd,
    inHome.replace(workFolder, () => cwd),
  );
}

/** True if the word contains something that only a run shows, other than file names. */
export function dependsOnRun(text: string): boolean {
  return /[$`]|[<>]\(/.test(text.replace(home, "").replace(workFolder, ""));
}

/** The root that contains the path, or else the session's own. */
export function rootOf(path: string, { roots, cwd }: CommandLocation): string {
  return roots.find((root) => isWithin(path, root)) ?? roots[0] ?? cwd;
}

/** The folder in which the following commands run. */
export function folderAfter(command: ShellCommand, cwd: string, location: CommandLocation): string {
  const [program, ...rest] = command.words;
  if (command.nested || !program || !/^(?:cd|pushd)$/.test(program.text)) return cwd;
  const target = rest.find(({ text }) => !text.startsWith("-"));
  if (!target) return rest.length === 0 && location.home !== undefined ? location.home : cwd;
  return dependsOnRun(target.text) ? cwd : resolveWord(target.text, cwd, location);
}

/** All commands that a command line may run, as far as they can be found. */
export type FoundCommands = {
  commands: FoundCommand[];
  /** Possible commands: words after programs with unknown options, and texts in other languages. */
  guesses: string[][];
  /**
   * True if the grammar read the words; otherwise they were read by text, which finds rather too much than too little.
   */
  byGrammar: boolean;
  /** The number of commands that the grammar found in the text itself; absent: the grammar did not read it. */
  written?: number;
  /** True if it sends text to a running program that executes it. */
  runsSent?: boolean;
  problem?: string;
};

export const tooMuch = "may run more commands than can be checked";
const MAX_GUESSES = 2000;
/** Each word is examined many times. */
const MAX_GUESSED_WORDS = 60_000;

/** Limits the findings to what can be examined. */
export function bounded(collected: FoundCommands): FoundCommands {
  let left = MAX_GUESSED_WORDS;
  const least = collected.guesses.findIndex((words) => {
    left -= words.length;
    return left < 0;
  });
  const most = Math.min(MAX_GUESSES, least < 0 ? MAX_GUESSES : least);
  if (collected.guesses.length <= most && collected.commands.length <= MAX_GUESSES) return collected;
  const problem = collected.problem ?? tooMuch;
  const [commands, guesses] = [collected.commands.slice(0, MAX_GUESSES), collected.guesses.slice(0, most)];
  return { ...collected, commands, guesses, byGrammar: false, problem };
}
