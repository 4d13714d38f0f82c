import { collectVariables, filledIn, type VariableValues } from "../findings/file-reach.ts";
import {
  type CommandLocation,
  dependsOnRun,
  type FoundCommand,
  normalizedWords,
  resolveWord,
} from "../findings/found-command.ts";
import { spellings } from "../findings/secret-words.ts";
import type { ShellWord } from "../ports/shell-grammar.ts";
import { operandsOf } from "../programs/arguments/operands.ts";
import type { Program } from "../programs/program.ts";
import { isInterpreter, opensFolders, programOf, readByTable, readsOpenly } from "../programs/programs.ts";
import type { CheckedWord } from "../shell/checked-line.ts";
import { expandWord } from "./word-expansion.ts";

/**
 * The files that a command may read, for rules that hide files: absolute paths that its words name or may name,
 * absolute patterns with `*` and `?`, and folders below which it reads files that are only known when it runs.
 */
export type ReadReach = { names: string[]; maybe: string[]; patterns: string[]; open: string[] };

const EVERYWHERE = "/";
/** Longer lists of words are not examined one by one. */
const MAX_NAMES = 1000;
/** A place that is not on this machine, or that depends on the process. */
const elsewhere = /^[a-z][a-z0-9+.-]+:\/\//i;
const processPlace = /^\/(?:proc\/[^/]+\/(?:cwd|root|fd|task)|dev\/fd)(?:\/|$)/;
/** A file that lists other file names. */
const listsNames = /^--files0?-from/;
/** Code in another language that reads files, whatever names it builds. */
const opening =
  /\b(?:f?open\w*|\w*read\w*|ARG[VF]|gets|eval|run_\w+|getattr|__\w+__|slurp\w*|file\w*|io|glob\w*|\w*dir\w*|walk|getline|load\w*|include\w*|attach|exec\w*|system|spawn\w*|popen\w*|subprocess|shutil|linecache|fs|child_process|pathlib|Path|scan|do|qx|cat|term\w*|normal)\b|[`!]|<\$?\w*>/i;

/** Loads a module by a computed name. */
const loading = /\b(?:require|import)\s{0,9}\((?!\s{0,9}(["'`])[^"'`$+]{0,200}\1\s{0,9}\))/;

/** True if the path leads to a different place for each process. */
export function dependsOnProcess(path: string): boolean {
  return processPlace.test(path);
}

export function readReach(commands: readonly FoundCommand[], location: CommandLocation): ReadReach {
  const reach = new Reach(location, collectVariables(commands));
  for (const command of commands) reach.add(command);
  return reach.found();
}

class Reach {
  readonly #location: CommandLocation;
  readonly #values: VariableValues;
  readonly #names = new Set<string>();
  readonly #maybe = new Set<string>();
  readonly #patterns = new Set<string>();
  readonly #open = new Set<string>();

  constructor(location: CommandLocation, values: VariableValues) {
    this.#location = location;
    this.#values = values;
  }

  found(): ReadReach {
    const isTooMuch = this.#names.size + this.#maybe.size + this.#patterns.size > MAX_NAMES;
    const [names, maybe, patterns] = [[...this.#names], [...this.#maybe], [...this.#patterns]];
    const open = isTooMuch ? [EVERYWHERE] : [...this.#open];
    return {
      names: names.slice(0, MAX_NAMES),
      maybe: maybe.slice(0, MAX_NAMES),
      patterns: patterns.slice(0, MAX_NAMES),
      open,
    };
  }

  add(command: FoundCommand): void {
    this.#input(command);
    const { words, assignments, cwd } = command;
    const [program = "", ...args] = normalizedWords(command);
    const row = programOf(program);
    if (words.length > 0) for (const each of assignments) this.#name(this.#maybe, each.replace(/^\w+\+?=/, ""), cwd);
    if (/^(?:cd|pushd|popd)$/.test(program) && leadsAnywhere(program, words.slice(1))) this.#open.add(EVERYWHERE);
    const opensNothing = typeof row.opensNothing === "function" ? row.opensNothing(args) : row.opensNothing;
    if (opensNothing) return;
    const checked = checkedWords(command);
    if (checked) {
      const { paths, isOpen, looksThrough } = checked;
      for (const word of paths) this.#operand(word, cwd, isOpen);
      const folders = paths.flatMap(({ text, literal }) =>
        literal ? [text] : looksThrough ? filledIn(text, this.#values) : [],
      );
      const known = folders.filter((text) => !dependsOnRun(text) && !/[*?[{]/.test(text));
      if (isOpen)
        for (const each of paths.length > 0 ? known : ["."]) this.#open.add(resolveWord(each, cwd, this.#location));
      return;
    }
    this.#operands(command, row);
    if (args.some((word) => listsNames.test(word))) this.#open.add(EVERYWHERE);
    for (const each of row.opens?.(args) ?? foldersOfUnknown(row, args)) {
      if (dependsOnRun(each)) this.#open.add(EVERYWHERE);
      else this.#open.add(resolveWord(each, cwd, this.#location));
    }
  }

  /** The files read by a redirection, and those that an interpreter's program in a here-document names. */
  #input({ words, redirects, cwd }: FoundCommand): void {
    const program = words[0]?.text ?? "";
    for (const { operator, target } of redirects) {
      if (operator.includes("<<")) {
        if (isInterpreter(program) && !programOf(program).shell) this.#code(target.text, cwd);
      } else if (operator.includes("<") && !/^(?:\d+-?|-)$/.test(target.text)) this.#operand(target, cwd);
    }
  }

  #operands({ words, cwd }: FoundCommand, row: Program): void {
    const rest = words.slice(1);
    const { texts } = row;
    const evaluates = Boolean(row.code ?? row.takesProgram ?? row.editor ?? row.shell ?? row.takesText);
    for (const [at, word] of rest.entries()) {
      if (texts && (texts.test(rest[at - 1]?.text ?? "") || texts.test(word.text.split("=")[0] ?? ""))) continue;
      this.#operand(word, cwd, !row.starts || row.starts === "anywhere");
      if (evaluates && /[^\w./~-]/.test(word.text)) this.#code(word.text, cwd);
      else if (row === unknownRow && /\s/.test(word.text)) this.#pieces(this.#maybe, word.text, cwd);
    }
  }

  /** `mayBeOpen`: a part known only at run time may be any file. */
  #operand(word: ShellWord, cwd: string, mayBeOpen = true): void {
    if (elsewhere.test(word.text) && !/^file:/i.test(word.text)) return;
    for (const text of word.literal ? [word.text] : filledIn(word.text, this.#values)) {
      const literal = word.literal || (text !== word.text && !/[*?[{]/.test(text) && !dependsOnRun(text));
      for (const part of partsOf(text)) {
        const { names, patterns, isOpen } = expandWord({ text: part, literal });
        if (isOpen && mayBeOpen) this.#open.add(EVERYWHERE);
        for (const name of names) for (const each of spellings(name)) this.#name(this.#names, each, cwd);
        for (const each of patterns) this.#patterns.add(resolveWord(each, cwd, this.#location));
      }
    }
  }

  #code(text: string, cwd: string): void {
    this.#pieces(this.#names, text, cwd);
    if (opening.test(text) || loading.test(text)) this.#open.add(EVERYWHERE);
  }

  #pieces(into: Set<string>, text: string, cwd: string): void {
    for (const piece of text.slice(0, 10_000).split(/[\s'"`()<>,;=@:|&{}[\]$\\+!]+/)) this.#name(into, piece, cwd);
  }

  #name(into: Set<string>, text: string, cwd: string): void {
    const plain = text.replace(/^file:(?:\/\/(?:localhost)?)?(?=\/)/i, "");
    if (plain === "" || plain === "-" || into.size > MAX_NAMES) return;
    if (dependsOnProcess(plain)) this.#open.add(EVERYWHERE);
    else into.add(resolveWord(plain, cwd, this.#location));
  }
}

const unknownRow = programOf("");

/** Also checks the value of `--flag=$x`. */
function partsOf(text: string): string[] {
  const at = /^-?-?[\w.-]+=/.exec(text)?.[0].length ?? 0;
  return at > 0 && at < text.length ? [text.slice(at)] : [text];
}

function leadsAnywhere(program: string, rest: readonly ShellWord[]): boolean {
  if (program === "popd") return true;
  return rest.some(({ text, literal }) => text === "-" || (!literal && (dependsOnRun(text) || /[*?[{]/.test(text))));
}

/** The words that a command opens, if the table knows all of them. */
function checkedWords({ words: [program, ...rest], assignments }: FoundCommand) {
  if (!program?.literal || assignments.length > 0) return undefined;
  const args = rest.map(({ text, literal }): CheckedWord => ({ text, glob: !literal }));
  const command = { program: program.text, args, env: [], redirects: [] };
  const reading = readByTable(command);
  if (!reading || "reason" in reading) return undefined;
  const paths = reading.paths.map(({ text, glob }) => ({ text, literal: !glob }));
  const { printsFiles } = programOf(program.text);
  const isOpen = printsFiles ? printsFiles(rest.map(({ text }) => text)) : readsOpenly(command);
  return { paths, isOpen, looksThrough: opensFolders(command) === true };
}

/** An unknown program may read whole folders. */
function foldersOfUnknown(row: Program, args: readonly string[]): string[] {
  return row === unknownRow ? operandsOf(args).filter((word) => /^(?:~|\.{1,2}|.*\/)$/.test(word)) : [];
}
