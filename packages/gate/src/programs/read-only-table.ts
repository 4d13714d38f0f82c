import type { CheckedCommand } from "../shell/checked-line.ts";
import { archiveRows, readTarArguments } from "./archive-rows.ts";
import type { ArgumentReader, ArgumentReading } from "./arguments/argument-reading.ts";
import { type ProgramRow, rowReader } from "./arguments/program-row.ts";
import { readXargsArguments } from "./fed-rows.ts";
import { fileRows } from "./file-rows.ts";
import { readGitArguments } from "./git-rows.ts";
import { scriptRows } from "./script-rows.ts";
import { readFindArguments, searchRows } from "./search-rows.ts";
import { systemRows } from "./system-rows.ts";
import { asksVersion } from "./version-rows.ts";

const readers = new Map<string, ArgumentReader>([
  ...[fileRows, archiveRows, searchRows, systemRows].flatMap((rows) =>
    Object.entries(rows).map(([program, row]: [string, ProgramRow]) => [program, rowReader(row)] as const),
  ),
  ...Object.entries(scriptRows),
  ["find", readFindArguments],
  ["tar", readTarArguments],
  ["xargs", readXargsArguments],
]);

/** The programs that have a row, without git, whose subcommands have one each. */
export const tablePrograms: readonly string[] = [...readers.keys()];

/** Is it a question for a program's version? Such commands need no folder. */
export function isVersionQuestion({ program, args, env }: CheckedCommand): boolean {
  return (
    env.length === 0 &&
    asksVersion(
      program,
      args.map(({ text, glob }) => (glob ? "" : text)),
    )
  );
}

/**
 * What the read-only table says about one command: what it reads, or why it may do more. Undefined: the table knows
 * nothing of it, or of this subcommand. `cd` is no program and has no row.
 */
export function readByTable(command: CheckedCommand): ArgumentReading | undefined {
  if (isVersionQuestion(command)) return { paths: [] };
  if (command.program === "git") return readGitArguments(command.args);
  return readers.get(command.program)?.(command.args);
}
