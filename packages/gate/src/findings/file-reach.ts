import { isWithin } from "../places/path-place.ts";
import { operandsOf, valuesOf } from "../programs/arguments/operands.ts";
import { WHOLE_TREE } from "../programs/git/files.ts";
import type { FileWords, Program } from "../programs/program.ts";
import { programOf } from "../programs/programs.ts";
import {
  type CommandLocation,
  dependsOnRun,
  type FoundCommand,
  normalizedWords,
  resolveWord,
} from "./found-command.ts";

/**
 * Absolute paths that a command reads and writes, as far as its arguments and redirections show. `open`: folders, or
 * beginnings of paths, below which it writes files that its words do not name. `removes`: the written paths that it
 * removes; `replaces`: those that it does more to than open.
 */
export type FileReach = { reads: string[]; writes: string[]; removes: string[]; replaces: string[]; open: string[] };

/**
 * The values that variables are given anywhere in the line, by name. They include `$name` itself if the run may assign
 * a value that no word shows.
 */
export type VariableValues = ReadonlyMap<string, readonly string[]>;

const MAX_VALUES = 4;

export function collectVariables(commands: readonly FoundCommand[]): VariableValues {
  const values = new Map<string, string[]>();
  const add = (name: string, value: string) => {
    const known = values.get(name) ?? [];
    const isKnown = value !== "" && value.length <= 300 && !dependsOnRun(value) && known.length < MAX_VALUES;
    values.set(name, [...new Set([...known, isKnown ? value : `$${name}`])]);
  };
  for (const { assignments, words } of commands) {
    const [program = "", ...rest] = words.map(({ text }) => text);
    const declared = setting.test(program) ? rest : [];
    const isReference = declared.some((word) => /^-\w*n/.test(word));
    for (const each of [...assignments, ...declared]) {
      const [, name = "", value] = /^([A-Za-z_]\w*)(?:=([\s\S]*)|\+=|\[|$)/.exec(each) ?? [];
      if (name !== "") add(name, isReference ? "" : (value?.replace(/["'\\]/g, "") ?? ""));
    }
  }
  return values;
}

/** Shell commands that set the variables named by their words. */
const setting =
  /^(?:export|declare|typeset|readonly|local|read|mapfile|readarray|printf|getopts|let|unset|wait|coproc)$/;

/** The word with its variables substituted, once for each value. */
export function filledIn(text: string, values: VariableValues): string[] {
  if (values.size === 0 || !dependsOnRun(text)) return [text];
  let texts = [text];
  for (const [sign, braced, plain] of text.slice(0, 300).matchAll(/\$(?:\{(\w+)\}|(\w+))/g)) {
    const assigned = values.get(braced ?? plain ?? "");
    if (assigned) texts = texts.flatMap((each) => assigned.map((value) => each.replace(sign, () => value)));
    if (texts.length > MAX_VALUES * MAX_VALUES) return [text];
  }
  return texts;
}

export function fileReach(
  command: FoundCommand,
  location: CommandLocation,
  values: VariableValues = new Map(),
): FileReach {
  const reach: FileReach = { reads: [], writes: [], removes: [], replaces: [], open: [] };
  const add = (list: string[], text: string) => {
    for (const each of filledIn(text, values))
      if (each !== "" && each !== "-" && !dependsOnRun(each)) list.push(resolveWord(each, command.cwd, location));
  };
  const write = (text: string) => {
    add(reach.writes, text);
    const known = literalFolder(text);
    if (known !== undefined) reach.open.push(resolveWord(known, command.cwd, location));
  };
  for (const { operator, target } of command.redirects) {
    if (operator.includes("<<") || (/[<>]&$/.test(operator) && /^(?:\d+-?|-|)$/.test(target.text))) continue;
    if (operator.includes(">")) write(target.text);
    if (operator.includes("<")) add(reach.reads, target.text);
  }
  const [program = "", ...rest] = normalizedWords(command);
  const row = programOf(program);
  const { written, read, folders } = fileArguments(row, rest);
  const isRemote = (word: string) => row.hosts === "copies" && /^[^/]*:/.test(word);
  for (const each of written.filter((word) => !isRemote(word))) {
    write(each);
    if (row.removes) add(reach.removes, each);
    if (replacesFiles(row, rest)) add(reach.replaces, each);
  }
  for (const each of folders.filter((word) => !isRemote(word))) {
    const base = each.startsWith(WHOLE_TREE) && program === "git" ? each.slice(WHOLE_TREE.length) : undefined;
    if (base === undefined) reach.open.push(resolveWord(literalFolder(each) ?? each, command.cwd, location));
    else reach.open.push(treeAround(resolveWord(base || ".", command.cwd, location), location));
  }
  for (const each of read.filter((word) => !isRemote(word))) add(reach.reads, each);
  return reach;
}

/** The workspace folder around a path: git may change anything in it. */
function treeAround(path: string, { roots }: CommandLocation): string {
  return roots.find((root) => isWithin(path, root)) ?? path;
}

/**
 * The folder before the part that only a run shows or that stands for several names; undefined: everything is known.
 */
function literalFolder(text: string): string | undefined {
  if (!dependsOnRun(text) && !/[*?[{]/.test(text)) return undefined;
  const open = text.search(/[*?[{`]|\$(?!(?:HOME|PWD)\b|\{(?:HOME|PWD)\})|[<>]\(/);
  const known = text.slice(0, Math.max(open, 0));
  // Nothing precedes it: it may lead anywhere.
  if (known === "") return dependsOnRun(text) ? "/" : ".";
  return known.includes("/") ? known.slice(0, known.lastIndexOf("/")) || "/" : ".";
}

/** The files named by the words of a command. */
/** True if it does more to its targets than open them. */
export function replacesFiles({ replaces }: Program, args: readonly string[]): boolean {
  return typeof replaces === "function" ? replaces(args) : replaces === true;
}

export function fileArguments(row: Program, args: readonly string[]): FileWords {
  const { writes, inspects, outputs, sources, valued, hostValued, wordOptions } = row;
  const letters = { valued: valued ?? hostValued, wordOptions };
  const operands = operandsOf(args, valued);
  const own = row.files?.(args) ?? {};
  const written = valuesOf(args, outputs, letters);
  const read = valuesOf(args, sources, letters);
  if (writes === "all") written.push(...operands);
  else if (writes === "first") written.push(...operands.slice(0, 1));
  else if (writes === "later") written.push(...operands.slice(1));
  else if (writes === "last") {
    const folder = valued?.test("-t") ? valuesOf(args, "-t --target-directory", letters) : [];
    written.push(...(folder.length > 0 ? folder : operands.slice(-1)));
    read.push(...(folder.length > 0 || operands.length === 1 ? operands : operands.slice(0, -1)));
  }
  written.push(...(own.written ?? []));
  read.push(...(own.read ?? []));
  if (inspects) read.push(...(inspects === "later" ? operands.slice(1) : operands));
  return { written, read, folders: own.folders ?? [] };
}
