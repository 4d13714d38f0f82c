import { isBelow, resolvePath } from "../places/path-place.ts";
import type { ShellCommand, ShellWord } from "../ports/shell-grammar.ts";
import { programName } from "../shell/command-text.ts";

/** Where a command runs. Absolute paths; `roots` are the workspace folders, the session's own first. */
export type Place = { cwd: string; roots: readonly string[]; home?: string };

/** A command that may run. */
export type FoundCommand = ShellCommand & {
  /** The folder it runs in, as far as plain `cd` commands tell. */
  cwd: string;
  /** Another program starts it, or a text that a shell reads. */
  behind: boolean;
};

/** Longer commands are not looked through in whole; they have a problem. */
export const MAX_CHARACTERS = 10_000;

/** As words; the program by its own name. */
export function viewOf({ words }: { words: readonly ShellWord[] }): string[] {
  const [first = "", ...rest] = words.map(({ text }) => text);
  return [programName(first), ...rest];
}

const home = /^(?:~(?=\/|$)|\$HOME\b|\$\{HOME\b[^}]*\})/;
const workFolder = /^(?:\$PWD\b|\$\{PWD\b[^}]*\})/;

/** Stands for the home folder where it is not known: it lies in no workspace. */
export const UNKNOWN_HOME = "/~";

/** The absolute path that a word names; what only a run shows stays in it as written. */
export function pathOf(text: string, cwd: string, place: Place): string {
  const inHome = text.replace(home, () => place.home ?? UNKNOWN_HOME);
  return resolvePath(
    cwd,
    inHome.replace(workFolder, () => cwd),
  );
}

/** Does the word hold what only a run shows, other than names of files? */
export function isUnknown(text: string): boolean {
  return /[$`]|[<>]\(/.test(text.replace(home, "").replace(workFolder, ""));
}

/** The root that the path lies in, else the session's own. */
export function rootOf(path: string, { roots, cwd }: Place): string {
  return roots.find((root) => isBelow(path, root)) ?? roots[0] ?? cwd;
}
