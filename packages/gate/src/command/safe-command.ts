import { readByTable, runsOthers } from "../programs/programs.ts";
import type { CheckedCommand, CheckedLine } from "../shell/checked-line.ts";
import { judgeLine, type LinePlace, nameOf, type ReadOnlyVerdict, readOnlyVerdict } from "./read-only-verdict.ts";

/** The commands that run unasked unless the person's settings say otherwise, each as far as its row of the table goes. */
export const builtinSafePrefixes: readonly string[] = [
  ..."cd ls grep glob find cat head tail wc pwd echo printf tree file stat du df free uptime whoami hostname".split(
    " ",
  ),
  ..."uname date cal ps env printenv which whereis type".split(" "),
  ..."status diff log show branch remote tag describe rev-parse".split(" ").map((name) => `git ${name}`),
  ..."tree metadata doc".split(" ").map((name) => `cargo ${name}`),
  "rustc --version",
  "cargo --version",
];
const builtin = new Set(builtinSafePrefixes);

/**
 * May the line run unasked? `prefixes` null: as far as the read-only table goes. Else each of its commands must begin
 * with one of them, word by word; and where the table has a row, the row must hold as well. A prefix of the person's own
 * for a program without a row covers whatever follows, but not behind a `cd` and not with variables set.
 */
export function safeCommandVerdict(
  line: CheckedLine,
  prefixes: readonly string[] | null,
  place: LinePlace,
): ReadOnlyVerdict {
  if (prefixes === null) return readOnlyVerdict(line, place);
  const lists = prefixes.map((text) => ({ text, words: text.trim().split(/\s+/).filter(Boolean) }));
  const uncovered = line.commands.find((command) => !lists.some(({ words }) => begins(command, words)));
  if (uncovered) return { reason: `${nameOf(uncovered)} is not on the list of safe commands` };
  return judgeLine(line, place, (command, moved) => {
    const own = lists.filter(({ words }) => begins(command, words)).filter(({ text }) => !builtin.has(text.trim()));
    return (
      readByTable(command) ??
      ownReason(
        command,
        own.map(({ words }) => words),
        moved,
      )
    );
  });
}

function begins({ program, args }: CheckedCommand, words: readonly string[]): boolean {
  if (words.length === 0 || words[0] !== program) return false;
  return words.slice(1).every((word, index) => args[index]?.text === word && !args[index]?.glob);
}

/** Flags that make an interpreter run a word. */
const evaluates = /^(?:-[a-zA-Z]*[ceEpr]|--(?:eval|exec|print|command|run|require|import)(?:=.*)?)$/;
/** Flags that make git run a program or write to a given place. */
const gitReaches =
  /^(?:--(?:upload-pack|receive-pack|exec|output|ext-diff|textconv|filters|open-files-in-pager|config|template|git-dir|work-tree)(?:=.*)?|-[cCO].*)$/;

/** Why a prefix of the person's own does not cover a command that the table does not know; undefined: it does. */
function ownReason(
  command: CheckedCommand,
  own: readonly (readonly string[])[],
  moved: boolean,
): { reason: string } | undefined {
  const name = nameOf(command);
  if (own.length === 0) return { reason: "it is not known to be read-only" };
  if (moved) return { reason: `${name} is allowed in this folder, but not after a cd` };
  if (command.env.length > 0) return { reason: `${name} is allowed as it is, but not with variables` };
  if (command.input !== undefined) return { reason: `${name} is allowed as it is, but not with a file as its input` };
  if (!runsOthers(command.program)) return undefined;
  if (own.every((words) => words.length === 1)) return { reason: "it runs other programs; use a longer prefix" };
  const words = command.args.map(({ text }) => text);
  const reaching = command.program === "git" ? words.find((word) => gitReaches.test(word)) : leadingFlag(words);
  return reaching === undefined ? undefined : { reason: `${reaching} may run anything` };
}

/** The first evaluating flag before the first operand. */
function leadingFlag(words: readonly string[]): string | undefined {
  const end = words.findIndex((word) => !word.startsWith("-"));
  return words.slice(0, end < 0 ? undefined : end).find((word) => evaluates.test(word));
}
