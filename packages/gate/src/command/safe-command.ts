import { readByTable, runsOthers } from "../programs/programs.ts";
import { reachesFurther } from "../programs/reach/reach-table.ts";
import type { CheckedCommand, CheckedLine } from "../shell/checked-line.ts";
import {
  commandName,
  judgeLine,
  type LineOptions,
  type ReadOnlyVerdict,
  readOnlyVerdict,
} from "./read-only-verdict.ts";

/** Commands that the user has added to those that only read, or (with `!`) removed. */
export type OwnPrefixes = readonly string[] | null;

/**
 * Says if the line may run unasked: each command only reads, according to the table of programs and flags, or begins
 * with one of the user's own prefixes, word by word. Prefixes are for commands that the table does not know and cover
 * no more than a lasting rule would. They do not apply after a `cd` or with variables set.
 */
export function safeCommandVerdict(line: CheckedLine, prefixes: OwnPrefixes, options: LineOptions): ReadOnlyVerdict {
  if (prefixes === null || prefixes.length === 0) return readOnlyVerdict(line, options);
  const { added, removed } = ownPrefixes(prefixes);
  const unwanted = line.commands.find((command) => removed.some((words) => begins(command, words)));
  if (unwanted) return { reason: `${commandName(unwanted)} was taken off the list of safe commands` };
  return judgeLine(line, options, (command, moved) => {
    const reading = readByTable(command);
    if (reading) return reading;
    const own = added.filter((words) => begins(command, words));
    return ownReason(command, own, moved);
  });
}

/** Splits the prefixes into words. */
function ownPrefixes(prefixes: readonly string[]): { added: string[][]; removed: string[][] } {
  const wordsIn = (text: string) => text.trim().split(/\s+/).filter(Boolean);
  return {
    added: prefixes.filter((text) => !text.startsWith("!")).map(wordsIn),
    removed: prefixes.filter((text) => text.startsWith("!")).map((text) => wordsIn(text.slice(1))),
  };
}

function begins({ program, args }: CheckedCommand, words: readonly string[]): boolean {
  if (words.length === 0 || words[0] !== program) return false;
  return words.slice(1).every((word, index) => args[index]?.text === word && !args[index]?.glob);
}

/** Flags that make an interpreter run a word. */
const evaluates = /^(?:-[a-zA-Z]*[ceEpr]|--(?:eval|exec|print|command|run|require|import)(?:=.*)?)$/;

/** Why the user's prefixes do not cover a command that the table does not know; undefined: they do. */
function ownReason(
  command: CheckedCommand,
  own: readonly (readonly string[])[],
  moved: boolean,
): { reason: string } | undefined {
  const name = commandName(command);
  if (own.length === 0) return { reason: `${name} is not known to be read-only` };
  if (moved) return { reason: `${name} is allowed in this folder, but not after a cd` };
  if (command.env.length > 0) return { reason: `${name} is allowed as it is, but not with variables` };
  if (command.input !== undefined) return { reason: `${name} is allowed as it is, but not with a file as its input` };
  if (runsOthers(command.program)) {
    if (own.every((words) => words.length === 1)) return { reason: "it runs other programs; use a longer prefix" };
    const flag = command.program === "git" ? undefined : leadingFlag(command.args.map(({ text }) => text));
    if (flag !== undefined) return { reason: `${flag} may run anything` };
  }
  if (own.some((words) => !reachesFurther(command, words.length, "beginning"))) return undefined;
  return { reason: `${name} is allowed, but not with what follows it: add a longer prefix` };
}

/** The first evaluating flag before the first operand. */
function leadingFlag(words: readonly string[]): string | undefined {
  const end = words.findIndex((word) => !word.startsWith("-"));
  return words.slice(0, end < 0 ? undefined : end).find((word) => evaluates.test(word));
}
