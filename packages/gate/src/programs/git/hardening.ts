import { secretPathspecs } from "../../places/secret-files.ts";
import type { CheckedCommand, CheckedWord } from "../../shell/checked-line.ts";
import type { Hardening } from "../program.ts";
import { showsContents } from "./contents.ts";
import { asCommits, boundNames, mayBeObject } from "./objects.ts";
import { type GivenToGit, gitFolder, givenToGit } from "./reading.ts";

const noPrograms = ["--no-ext-diff", "--no-textconv"];
/** Submodules have their own settings, which stay on: git must not check whether a submodule has changed. */
const notIntoSubmodules = "--ignore-submodules=dirty";

/** Placed after the subcommand, and before words after which git accepts no flags. */
const hardeningFlags: Readonly<Record<string, readonly string[]>> = {
  status: [notIntoSubmodules],
  diff: [...noPrograms, notIntoSubmodules],
  log: noPrograms,
  show: noPrograms,
  "diff-tree": noPrograms,
  blame: ["--no-textconv"],
};

/** Commands that show any object they are given, whatever its name. */
const showsObjects = /^(?:show|diff|diff-tree|grep|cat-file)$/;
/** Lists commits without visible changes as well. */
const allCommits: Readonly<Record<string, readonly string[]>> = {
  log: ["--full-history", "--sparse"],
  show: ["--sparse"],
};
const secrets = secretPathspecs("top,exclude,icase,glob");

/** Makes git start no programs, look into no submodules and show no secret files, not even past versions. */
export const hardenGit: Hardening = (words, { command, system }) => {
  const found = givenToGit(command.args);
  if (!found) return { words: [...words] };
  const { name, start, length, args } = found;
  const before = ["--no-pager", ...words.slice(0, start).filter((word) => word !== "--no-pager")];
  const flags = args.flags.map((flag) => flag.name);
  if (name === "stash show") {
    const shown = shownStash(command.args.slice(length), found);
    if (shown) return { words: [...before, ...shown] };
  }
  const isThere = thereFor(command, system.isThere);
  const objects = objectsOf(found, isThere);
  const rest = command.args.slice(length).map((word) => (objects.has(word) ? asCommits(word.text) : word.text));
  const added = [...(hardeningFlags[name] ?? [])];
  const isOfLines = flags.includes("-L");
  const passesOver = name === "grep" || name === "diff" || (showsContents(name, flags) && !isOfLines);
  // With `-L`, git follows lines into renamed files and accepts no other paths.
  if (isOfLines) added.push("--no-renames");
  else if (passesOver && isWhole(found, isThere)) added.push(...(allCommits[name] ?? []));
  return { words: [...before, ...words.slice(start, length), ...added, ...rest, ...(passesOver ? secrets : [])] };
};

/** `stash show` takes no paths, so it becomes a diff between the stash and its base. Undefined: it shows more. */
function shownStash(words: readonly CheckedWord[], { args }: GivenToGit): string[] | undefined {
  const { flags, operands } = args;
  if (flags.some((flag) => flag.name.endsWith("-untracked"))) return undefined;
  const [stash] = operands;
  const name = stash?.text ?? "stash@{0}";
  const shown = /^\d+$/.test(name) ? `stash@{${name}}` : name;
  const own = words.filter((word) => word !== stash && word.text !== "--").map(({ text }) => text);
  const form = flags.length === 0 ? ["--stat"] : [];
  return ["diff", ...noPrograms, notIntoSubmodules, ...form, ...own, `${shown}^1`, shown, "--", ...secrets];
}

type IsThere = (word: string) => boolean;

/** Relative to the folder that `-C` leads to. */
function thereFor({ args }: CheckedCommand, isThere: IsThere | undefined): IsThere {
  const folder = gitFolder(args);
  return (word) => isThere?.(folder === undefined || word.startsWith("/") ? word : `${folder}/${word}`) ?? false;
}

/** The words that git takes as objects: those before `--`, or without one those that are not the name of a file. */
function objectsOf({ name, args, marked }: GivenToGit, isThere: IsThere): ReadonlySet<CheckedWord> {
  const { operands, flags } = args;
  const has = (flag: string) => flags.some((each) => each.name === flag);
  if (!showsObjects.test(name)) return new Set();
  if (name === "cat-file") return new Set(has("-p") ? operands : []);
  const before = operands.slice(name === "grep" && !has("-e") ? 1 : 0, operands.length - (marked ?? 0));
  return new Set(marked === undefined ? before.filter(({ text }) => !isThere(text)) : before);
}

/**
 * The names that may refer to any object of the repository, which the command then shows. `isThere`: whether a file has
 * this name in git's folder.
 */
export function objectNames(args: readonly CheckedWord[], isThere: IsThere): string[] {
  const found = givenToGit(args);
  return found ? [...objectsOf(found, isThere)].flatMap(({ text }) => boundNames(text)) : [];
}

/** True if it is given no paths. */
function isWhole({ args, marked }: GivenToGit, isThere: IsThere): boolean {
  if (marked !== undefined) return marked === 0;
  return args.operands.every(({ text }) => mayBeObject(text) && !isThere(text));
}
