import { secretPathspecs } from "../../places/secret-files.ts";
import type { CheckedCommand, CheckedWord } from "../../shell/checked-line.ts";
import type { Hardening } from "../program.ts";
import { showsContents } from "./contents.ts";
import { asCommits, boundNames, mayBeObject } from "./objects.ts";
import { type GivenToGit, gitFolder, givenToGit } from "./reading.ts";

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
  blame: ["--no-textconv"],
};

/** Commands that show whatever object they are given, whatever it is called. */
const showsObjects = /^(?:show|diff|diff-tree|grep|cat-file)$/;
/** Commits without changes to show are listed all the same. */
const allCommits: Readonly<Record<string, readonly string[]>> = {
  log: ["--full-history", "--sparse"],
  show: ["--sparse"],
};
const secrets = secretPathspecs("top,exclude,icase,glob");

/** It starts no programs, looks into no submodules and shows no secret files, not even past versions. */
export const hardenGit: Hardening = (words, { command, system }) => {
  const found = givenToGit(command.args);
  if (!found) return { words: [...words] };
  const { name, start, length, given } = found;
  const before = ["--no-pager", ...words.slice(0, start).filter((word) => word !== "--no-pager")];
  const flags = given.flags.map((flag) => flag.name);
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
  // Git follows lines to files that are called otherwise, and takes no other paths beside them.
  if (isOfLines) added.push("--no-renames");
  else if (passesOver && isWhole(found, isThere)) added.push(...(allCommits[name] ?? []));
  return { words: [...before, ...words.slice(start, length), ...added, ...rest, ...(passesOver ? secrets : [])] };
};

/** `stash show` takes no paths: it is a diff of what was stashed with what it was made from. Undefined: it shows more. */
function shownStash(words: readonly CheckedWord[], { given }: GivenToGit): string[] | undefined {
  const { flags, operands } = given;
  if (flags.some((flag) => flag.name.endsWith("-untracked"))) return undefined;
  const [stash] = operands;
  const name = stash?.text ?? "stash@{0}";
  const shown = /^\d+$/.test(name) ? `stash@{${name}}` : name;
  const own = words.filter((word) => word !== stash && word.text !== "--").map(({ text }) => text);
  const form = flags.length === 0 ? ["--stat"] : [];
  return ["diff", ...noPrograms, notIntoSubmodules, ...form, ...own, `${shown}^1`, shown, "--", ...secrets];
}

type IsThere = (word: string) => boolean;

/** By the folder that `-C` leads to. */
function thereFor({ args }: CheckedCommand, isThere: IsThere | undefined): IsThere {
  const folder = gitFolder(args);
  return (word) => isThere?.(folder === undefined || word.startsWith("/") ? word : `${folder}/${word}`) ?? false;
}

/** The words that git takes for objects: of those before `--`, where there is none, the ones that no file is called by. */
function objectsOf({ name, given, marked }: GivenToGit, isThere: IsThere): ReadonlySet<CheckedWord> {
  const { operands, flags } = given;
  const has = (flag: string) => flags.some((each) => each.name === flag);
  if (!showsObjects.test(name)) return new Set();
  if (name === "cat-file") return new Set(has("-p") ? operands : []);
  const before = operands.slice(name === "grep" && !has("-e") ? 1 : 0, operands.length - (marked ?? 0));
  return new Set(marked === undefined ? before.filter(({ text }) => !isThere(text)) : before);
}

/**
 * The names that may lead to any object of the repository, which the command shows. `isThere`: is a file called so, where
 * git runs?
 */
export function objectNames(args: readonly CheckedWord[], isThere: IsThere): string[] {
  const found = givenToGit(args);
  return found ? [...objectsOf(found, isThere)].flatMap(({ text }) => boundNames(text)) : [];
}

/** Is it given no paths? */
function isWhole({ given, marked }: GivenToGit, isThere: IsThere): boolean {
  if (marked !== undefined) return marked === 0;
  return given.operands.every(({ text }) => mayBeObject(text) && !isThere(text));
}
