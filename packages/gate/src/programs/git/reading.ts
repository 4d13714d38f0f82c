import { isSecret, secretGlobs } from "../../places/secret-files.ts";
import type { CheckedWord } from "../../shell/checked-line.ts";
import type { ArgumentReader, ArgumentReading } from "../arguments/argument-reading.ts";
import { argumentReader } from "../arguments/argument-row.ts";
import type { Hardening } from "../program.ts";
import { gitTable } from "./subcommands.ts";

/** The subcommands that have a row. */
export const gitSubcommands: readonly string[] = Object.keys(gitTable);

const readers: Readonly<Record<string, ArgumentReader>> = Object.fromEntries(
  Object.entries(gitTable).map(([name, row]) => [name, argumentReader({ permutes: true, ...row })]),
);

/** The row for these words, how many of them name it, and how many of those are options before it. */
function rowOf(args: readonly CheckedWord[]): { row: string; start: number; length: number } | undefined {
  const start = startOf(args);
  const [first = "", second = ""] = args.slice(start).map(({ text, glob }) => (glob ? "" : text));
  if (Object.hasOwn(gitTable, `${first} ${second}`)) return { row: `${first} ${second}`, start, length: start + 2 };
  return Object.hasOwn(gitTable, first) ? { row: first, start, length: start + 1 } : undefined;
}

/** Options before the subcommand change what git runs; passed over are only `--no-pager`, and `-C` with a plain name. */
function startOf(args: readonly CheckedWord[]): number {
  const start = args[0]?.text === "--no-pager" ? 1 : 0;
  if (gitFolder(args) === undefined) return start;
  return args[start + 2]?.text === "--no-pager" ? start + 3 : start + 2;
}

/** The folder that `git -C folder` goes to before it does anything. */
export function gitFolder(args: readonly CheckedWord[]): string | undefined {
  const [option, folder] = args[0]?.text === "--no-pager" ? args.slice(1) : args;
  const isPlain = folder !== undefined && !folder.glob && /^[^-]/.test(folder.text);
  return option?.text === "-C" && isPlain ? folder.text : undefined;
}

/**
 * How many of git's words name the subcommand that the table knows, the `start` options before it included. 0 = it knows
 * none.
 */
function rowSpan(args: readonly CheckedWord[]): { start: number; length: number } {
  return rowOf(args) ?? { start: 0, length: 0 };
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

/** The shell finds the names for a pattern in its own folder, and git looks for them in the other one. */
function readBehind(folder: string, paths: readonly CheckedWord[]): ArgumentReading {
  const pattern = paths.find(({ glob }) => glob);
  if (pattern) return { reason: `the pattern ${pattern.text} is not quoted` };
  const behind = paths.map(({ text }) => ({ text: text.startsWith("/") ? text : `${folder}/${text}`, glob: false }));
  return { paths: [{ text: folder, glob: false }, ...behind], folder: true };
}

/** `HEAD:.env`, `:0:.env`, `-L:name:.env`, `:/.env`, `:(top)x.pem`: behind any of its colons. */
function namesSecret(word: string): boolean {
  return word
    .split(":")
    .slice(1)
    .some((part) => isSecret(part.replace(/^\(.*\)/, "")));
}

const noPrograms = ["--no-ext-diff", "--no-textconv"];
/** Submodules have settings of their own, which are not switched off: git must not look whether one is changed. */
const notIntoSubmodules = "--ignore-submodules=dirty";

/** Behind the subcommand, and before words behind which git takes no flags. */
const hardeningFlags: Readonly<Record<string, readonly string[]>> = {
  status: [notIntoSubmodules],
  diff: [...noPrograms, notIntoSubmodules],
  log: noPrograms,
  show: noPrograms,
  "diff-tree": noPrograms,
  "stash show": noPrograms,
  blame: ["--no-textconv"],
};

/** It starts no programs, looks into no submodules and shows no secret files. */
export const hardenGit: Hardening = (words, { command: { args } }) => {
  const { start, length } = rowSpan(args);
  const options = words.slice(0, start).filter((word) => word !== "--no-pager");
  const subcommand = words.slice(start, length);
  const name = subcommand.join(" ");
  const flags = hardeningFlags[name] ?? [];
  // With these words `diff` also compares no folders that are in no repository.
  const passedOver = name === "grep" || name === "diff" ? withoutSecrets() : [];
  return { words: ["--no-pager", ...options, ...subcommand, ...flags, ...words.slice(length), ...passedOver] };
};

function withoutSecrets(): string[] {
  return [
    ...secretGlobs.files.map((name) => `:(top,exclude,icase,glob)**/${name}`),
    ...secretGlobs.folders.map((name) => `:(top,exclude,icase,glob)**/${name}/**`),
  ];
}
