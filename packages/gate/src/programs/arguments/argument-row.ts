import type { CheckedWord } from "../../shell/checked-line.ts";
import {
  type ArgumentReader,
  type FlagRules,
  type Flags,
  type GivenArguments,
  readArguments,
  readFlagTable,
} from "./argument-reading.ts";

/** The flags that a program accepts, and what its operands are. */
export type ArgumentRow = FlagRules & {
  /** See `readFlagTable`; absent: none. */
  flags?: string;
  /** `pattern`: the first one is not a path, unless one of `patternFlags` was given. Absent: it takes none. */
  operands?: "path" | "pattern" | "word";
  patternFlags?: readonly string[];
  /** The most operands; for paths, flags must come first, because a further operand may be written to. */
  most?: number;
  /** It accepts flags after operands on all systems. For other programs they are operands on some. */
  permutes?: true;
  least?: number;
  /** It reads its current folder if no path is given. */
  folder?: "unnamed";
  /** Why these arguments do more than read, if the flags alone do not show it. */
  check?: (args: GivenArguments) => string | undefined;
  /** Further words that it opens. */
  opens?: (args: GivenArguments) => CheckedWord[];
};

/** Splits arguments according to a row, whose flag table is parsed on first use. */
export function givenReader(row: ArgumentRow): (args: readonly CheckedWord[]) => ReturnType<typeof readArguments> {
  let table: Flags | undefined;
  return (args) => {
    table ??= readFlagTable(row.flags ?? "");
    return readArguments(args, table, row);
  };
}

export function argumentReader(row: ArgumentRow): ArgumentReader {
  const givenBy = givenReader(row);
  return (args) => {
    const givenArgs = givenBy(args);
    if ("reason" in givenArgs) return givenArgs;
    const problem = countProblem(givenArgs, row) ?? globProblem(givenArgs, row) ?? row.check?.(givenArgs);
    if (problem !== undefined) return { reason: problem };
    const behind = row.permutes || row.operands === "word" ? [] : givenArgs.behind;
    const paths = [...givenArgs.paths, ...operandPaths(givenArgs, row), ...behind, ...(row.opens?.(givenArgs) ?? [])];
    const folder = row.folder === "unnamed" && paths.length === 0;
    const flags = givenArgs.flags.map(({ name }) => name);
    return { paths, folder, flags, flagsEnd: givenArgs.flagsEnd };
  };
}

function hasPattern({ flags }: GivenArguments, row: ArgumentRow): boolean {
  return row.operands === "pattern" && !flags.some(({ name }) => row.patternFlags?.includes(name));
}

function countProblem({ operands, behind }: GivenArguments, row: ArgumentRow): string | undefined {
  const most = row.operands === undefined ? 0 : row.most;
  if (row.operands === "path" && row.most !== undefined && behind[0]) {
    return `${behind[0].text} comes after a file: it may write to it`;
  }
  if (most !== undefined && operands.length > most) {
    return most === 0
      ? `it is given ${operands[0]?.text ?? ""}`
      : `it is given more than ${most}: it may write to the last`;
  }
  return operands.length < (row.least ?? 0) ? "a word is missing" : undefined;
}

function globProblem(args: GivenArguments, row: ArgumentRow): string | undefined {
  const globs = args.operands.filter(({ glob }) => glob);
  const [first] = globs;
  if (!first) return undefined;
  if (row.most !== undefined) return `${first.text} may match several names`;
  return hasPattern(args, row) && args.operands[0]?.glob ? `the pattern ${first.text} is not quoted` : undefined;
}

function operandPaths(args: GivenArguments, row: ArgumentRow): CheckedWord[] {
  if (row.operands === "path") return args.operands;
  if (row.operands !== "pattern") return args.operands.filter(({ glob }) => glob);
  return args.operands.slice(hasPattern(args, row) ? 1 : 0);
}

type More = Omit<ArgumentRow, "flags" | "operands">;

/** A program that takes these flags and paths. */
export const readPaths = (flags = "", more: More = {}) => argumentReader({ ...more, flags, operands: "path" });
/** A program that takes these flags, a pattern and paths. */
export const readPattern = (flags: string, more: More) => argumentReader({ ...more, flags, operands: "pattern" });
/** A program that takes these flags, and words that are not paths. */
export const readWords = (flags = "", more: More = {}) => argumentReader({ ...more, flags, operands: "word" });
/** A program that takes only these flags. */
export const readFlags = (flags = "", more: More = {}) => argumentReader({ ...more, flags });
