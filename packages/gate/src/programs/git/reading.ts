import { isSecret } from "../../places/secret-files.ts";
import type { CheckedWord } from "../../shell/checked-line.ts";
import type { ArgumentReader, ArgumentReading, GivenArguments } from "../arguments/argument-reading.ts";
import { argumentReader, givenReader } from "../arguments/argument-row.ts";
import { gitTable } from "./subcommands.ts";

/** The subcommands that have a row. */
export const knownGitSubcommands: readonly string[] = Object.keys(gitTable);

const readers: Readonly<Record<string, ArgumentReader>> = Object.fromEntries(
  Object.entries(gitTable).map(([name, row]) => [name, argumentReader({ permutes: true, ...row })]),
);

const givenBy = Object.fromEntries(Object.entries(gitTable).map(([name, row]) => [name, givenReader(row)]));

/** The row for these words, how many of them name it, and how many of those are options before it. */
function rowOf(args: readonly CheckedWord[]): { row: string; start: number; length: number } | undefined {
  const start = startOf(args);
  const [first = "", second = ""] = args.slice(start).map(({ text, glob }) => (glob ? "" : text));
  if (Object.hasOwn(gitTable, `${first} ${second}`)) return { row: `${first} ${second}`, start, length: start + 2 };
  return Object.hasOwn(gitTable, first) ? { row: first, start, length: start + 1 } : undefined;
}

/** Options before the subcommand change what git runs, so only `--no-pager` and `-C` with a plain name are skipped. */
function startOf(args: readonly CheckedWord[]): number {
  const start = args[0]?.text === "--no-pager" ? 1 : 0;
  if (gitFolder(args) === undefined) return start;
  return args[start + 2]?.text === "--no-pager" ? start + 3 : start + 2;
}

/** The folder that `git -C folder` changes to first. */
export function gitFolder(args: readonly CheckedWord[]): string | undefined {
  const [option, folder] = args[0]?.text === "--no-pager" ? args.slice(1) : args;
  const isPlain = folder !== undefined && !folder.glob && /^[^-]/.test(folder.text);
  return option?.text === "-C" && isPlain ? folder.text : undefined;
}

/**
 * Git's words as its table knows them: `start` options, then the `name` of the subcommand (`length` words in all), and
 * its `args`. `marked`: the number of words after `--`; absent: there is no `--`. Undefined: the table does not
 * know them.
 */
export type GivenToGit = { name: string; start: number; length: number; args: GivenArguments; marked?: number };

export function givenToGit(args: readonly CheckedWord[]): GivenToGit | undefined {
  const found = rowOf(args);
  if (!found) return undefined;
  const { row: name, start, length } = found;
  const words = args.slice(length);
  const givenArgs = givenBy[name]?.(words);
  if (!givenArgs || "reason" in givenArgs) return undefined;
  const marked = words.length - givenArgs.flagsEnd - 1;
  return { name, start, length, args: givenArgs, ...(marked >= 0 && { marked }) };
}

/** Undefined: the table does not know the subcommand. */
export function readGit(args: readonly CheckedWord[]): ArgumentReading | undefined {
  const found = rowOf(args);
  if (!found) return undefined;
  const words = args.slice(found.length);
  const reading = readers[found.row]?.(words);
  if (!reading || "reason" in reading) return reading;
  const secret = words.find(({ text }) => namesSecret(text));
  if (secret) return { reason: `${secret.text} names a file with secrets` };
  const folder = gitFolder(args);
  return folder === undefined ? { paths: reading.paths, folder: true } : readBehind(folder, reading.paths);
}

/** The shell expands a pattern in its own folder, but git looks for the names in `folder`. */
function readBehind(folder: string, paths: readonly CheckedWord[]): ArgumentReading {
  const pattern = paths.find(({ glob }) => glob);
  if (pattern) return { reason: `the pattern ${pattern.text} is not quoted` };
  const behind = paths.map(({ text }) => ({ text: text.startsWith("/") ? text : `${folder}/${text}`, glob: false }));
  return { paths: [{ text: folder, glob: false }, ...behind], folder: true };
}

/** `HEAD:.env`, `:0:.env`, `-L:name:.env`, `:/.env`, `:(top)x.pem`: checks what follows each colon. */
function namesSecret(word: string): boolean {
  return word
    .split(":")
    .slice(1)
    .some((part) => isSecret(part.replace(/^\(.*\)/, "")));
}
