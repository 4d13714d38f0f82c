import type { CheckedLine, CheckedWord } from "../shell/checked-line.ts";
import type { ArgumentReader, ArgumentReading } from "./arguments/argument-reading.ts";
import { type ProgramRow, rowReader } from "./arguments/program-row.ts";
import { fileRows } from "./file-rows.ts";

/*
 * Programs that start another one with names that only a run shows. Files with secrets and links out of the workspace may
 * be among them, so what is started tells nothing of what is in files, whatever they are named.
 */

/** Flags of xargs itself; none has a value that may be missing. */
const readXargsFlags = rowReader({ flags: "-0r -n=number -L=number --null --no-run-if-empty --max-args=number" });
const counts = /^(?:wc|basename|dirname)$/;

export const readXargsArguments: ArgumentReader = (args: readonly CheckedWord[]): ArgumentReading => {
  const start = args.findIndex(({ text, glob }) => counts.test(text) && !glob);
  const reading = start < 0 ? { reason: "it starts a program" } : readXargsFlags(args.slice(0, start));
  if ("reason" in reading) return reading;
  const started = readStarted(args.slice(start));
  if ("reason" in started) return started;
  // What it adds stands behind all of them.
  return { ...started, flagsEnd: start + 1 + (started.flagsEnd ?? 0) };
};

/** What prints names that are there and nothing else, and what leaves some of them out. */
const lists =
  /^(?:find(?! .*-(?:printf|ls|exec)\b)|fd|fdfind|git(?: --no-pager)? ls-files)(?: |$)|^ls(?: -[1aArtS]+| [^- ]\S*)*$/;
const leavesOut =
  /^(?:(?:sort|uniq)(?: -[ruVz]+)*|(?:head|tail)(?: -n ?\d+| -\d+)?|[ef]?grep(?: -[vEFiw]+)*(?: [^- ]\S*)?)$/;

/** Does the command open files that its input names, and not only those that a program has found? */
export function opensAnyNames({ commands, joins }: CheckedLine, index: number): boolean {
  const command = commands[index];
  if (command?.program !== "xargs" || !command.args.some(({ text }) => text === "wc")) return false;
  for (let at = index; joins[at - 1] === "|" && commands[at]?.input === undefined; at--) {
    const { program = "", args = [] } = commands[at - 1] ?? {};
    const words = [program, ...args.map(({ text }) => text)].join(" ");
    if (lists.test(words)) return false;
    if (!leavesOut.test(words)) return true;
  }
  return true;
}

/** What find hands on lies in the folders that it was given, and its names begin with theirs. */
const tells = /^(?:wc|ls|stat|basename|dirname)$/;
const followsLinks = /^(?:-[LH]|--dereference.*)$/;

/** The words between `-exec` and its end, `{}` the last of them: does it only tell about what was found? */
export function readFound(words: readonly CheckedWord[]): ArgumentReading {
  const [program] = words;
  const reading =
    program && tells.test(program.text) && words.at(-1)?.text === "{}"
      ? readStarted(words.slice(0, -1))
      : { reason: "-exec starts a program with what it finds" };
  if ("reason" in reading) return reading;
  const { flags = [], paths } = reading;
  const isPlain = program?.text !== "ls" || keepsToLinks(flags);
  return isPlain && paths.length === 0 && !flags.some((flag) => followsLinks.test(flag))
    ? reading
    : { reason: "-exec starts a program that may look elsewhere" };
}

/** Shown as one line each, a link is only named; else ls lists the folder that it leads to. */
function keepsToLinks(flags: readonly string[]): boolean {
  if (flags.includes("-d") || flags.includes("--directory")) return true;
  return flags.includes("-l") && !flags.some((flag) => /^-[Cxm1f]$|^--format$/.test(flag));
}

function readStarted([program, ...args]: readonly CheckedWord[]): ArgumentReading {
  const row: ProgramRow | undefined = fileRows[program?.text ?? ""];
  return row ? rowReader(row)(args) : { reason: "it starts a program" };
}
