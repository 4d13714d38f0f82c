import type { CheckedCommand } from "../shell/checked-line.ts";
import { archivePrograms } from "./archives.ts";
import type { ArgumentReading } from "./arguments/argument-reading.ts";
import { buildTools } from "./build-tools.ts";
import { editors } from "./editors.ts";
import { fileChanges } from "./file-changes.ts";
import { fileReaders } from "./file-readers.ts";
import { filterPrograms } from "./filters.ts";
import { findPrograms } from "./find.ts";
import { gitPrograms } from "./git.ts";
import { inputPrograms } from "./input.ts";
import { interpreters } from "./interpreters.ts";
import { networkPrograms } from "./network.ts";
import type { CommandToRun, Program, Programs, RunSystem } from "./program.ts";
import { searchPrograms } from "./search.ts";
import { shellWords } from "./shell-words.ts";
import { systemPrograms } from "./system.ts";
import { textPrograms } from "./text.ts";
import { wrappers } from "./wrappers.ts";

/** All known programs, by families. */
export const programFamilies: Readonly<Record<string, Programs>> = {
  archivePrograms,
  buildTools,
  editors,
  fileChanges,
  fileReaders,
  filterPrograms,
  findPrograms,
  gitPrograms,
  inputPrograms,
  interpreters,
  networkPrograms,
  searchPrograms,
  shellWords,
  systemPrograms,
  textPrograms,
  wrappers,
};

const table: ReadonlyMap<string, Program> = new Map(
  Object.values(programFamilies).flatMap((rows) =>
    Object.entries(rows).flatMap(([names, row]) => names.split(" ").map((name) => [name, row] as const)),
  ),
);

const unknown: Program = {};

/** The row of exactly this name, for decisions to allow. */
function exactProgram(name: string): Program {
  return table.get(name) ?? unknown;
}

/** The row of the program, including `python3.11` and `mkfs.ext4`; an empty row if nothing is known about it. */
export function programOf(name: string): Program {
  const known = table.get(name);
  if (known) return known;
  const plain = /^([a-z]+)(?:[0-9.]+|\.\w+)$/i.exec(name)?.[1];
  const row = plain === undefined ? undefined : table.get(plain);
  return row?.versioned ? row : unknown;
}

/** True if it only asks for a program's version. Such commands need no folder. */
export function isVersionQuestion({ program, args, env }: CheckedCommand): boolean {
  const [word] = args;
  if (env.length > 0 || args.length !== 1 || !word || word.glob) return false;
  return exactProgram(program).version?.split(" ").includes(word.text) === true;
}

/**
 * Looks up one command: the paths that it reads, or why it may do more. Undefined: the table does not know the program
 * or its subcommand. `cd` reads nothing; its target folder is checked elsewhere.
 */
export function readByTable(command: CheckedCommand): ArgumentReading | undefined {
  if (isVersionQuestion(command)) return { paths: [] };
  return exactProgram(command.program).reads?.(command.args);
}

/** True if it reads files that its arguments do not all name: matches of a pattern, a whole folder, or a history. */
export function readsOpenly(command: CheckedCommand): boolean {
  return opensFolders(command) ?? command.args.some(({ glob }) => glob);
}

/** The same without patterns, which say what is read; undefined: it only reads what its arguments name. */
export function opensFolders({ program, args }: CheckedCommand): boolean | undefined {
  const { readsOpenly: opens } = exactProgram(program);
  return typeof opens === "function" ? opens(args) : opens;
}

/**
 * The words of a command as it will run, with flags that keep it within what it was allowed for. A command that the
 * table does not know is unchanged.
 */
export function commandToRun(command: CheckedCommand, system: RunSystem): CommandToRun {
  const words = command.args.map(({ text }) => text);
  const reading = readByTable(command);
  if (!reading || "reason" in reading) return { words };
  const { flags = [], flagsEnd = words.length } = reading;
  return exactProgram(command.program).harden?.(words, { command, flags, end: flagsEnd, system }) ?? { words };
}

/** The kind of shell builtin that the program is, if any. */
export function builtinKind(program: string): Program["builtin"] {
  return exactProgram(program).builtin;
}

/** True if its words may make it run another program, so that its name alone says too little. */
export function runsOthers(program: string): boolean {
  const { starts, shell, code, takesProgram, takesText, evaluates } = programOf(program);
  return Boolean(starts ?? shell ?? code ?? takesProgram ?? takesText ?? evaluates);
}

/** True if it takes programs in its own language, as arguments or as input. */
export function isInterpreter(program: string): boolean {
  const { shell, code, takesProgram } = programOf(program);
  return Boolean(shell ?? code ?? takesProgram);
}

/** The names of all programs with such a row. */
export function programsWith(key: keyof Program): string[] {
  return [...table].filter(([, row]) => row[key] !== undefined).map(([name]) => name);
}
