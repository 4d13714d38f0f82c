import type { CheckedCommand, CheckedWord } from "../../shell/checked-line.ts";
import { programName } from "../../shell/command-text.ts";
import { programOf } from "../programs.ts";
import { buildReach } from "./build-reach.ts";
import { checkReach } from "./check-reach.ts";
import { isAddress } from "./elsewhere.ts";
import { gitReaches, isGitStart, otherSubcommand } from "./git-reach.ts";
import { type Breadth, goesBeyond, type Reach } from "./reach.ts";
import { scriptReach } from "./script-reach.ts";
import { systemReach } from "./system-reach.ts";

function byName(rows: Readonly<Record<string, Reach>>): ReadonlyMap<string, Reach> {
  return new Map(Object.entries(rows).flatMap(([names, row]) => names.split(" ").map((name) => [name, row] as const)));
}

const programs = byName({ ...scriptReach, ...buildReach, ...checkReach, ...systemReach });
const subcommandsOfGit = byName(gitReaches);

/** Flags that sound as if they reach elsewhere count as such; an address is another host. */
const unknown: Reach = { passesOn: true };

/**
 * True if a command does more than a rule for its first `length` words says: through flags, in any spelling, that start
 * programs, load, write to chosen places, delete, or name other hosts and repositories; or through addresses in place
 * of the usual names.
 */
export function reachesFurther({ program, args }: CheckedCommand, length: number, breadth: Breadth): boolean {
  const words = args.map(({ text }) => text);
  const from = Math.max(0, length - 1);
  const name = programName(program);
  if (name === "git") return gitReachesFurther(args, from, breadth);
  const found = programs.get(name) ?? programs.get(name.replace(/[\d.]+$/, "")) ?? unknown;
  const inner = found.runs === undefined ? undefined : innerCommand(found.runs, args, name);
  if (inner && reachesFurther(inner.command, Math.max(1, from - inner.start), breadth)) return true;
  const own = inner ? args.slice(0, inner.start) : args;
  const row = found.subcommands?.[words[0] ?? ""] ?? found;
  if (goesBeyond(row, own, from, breadth)) return true;
  const end = row.handsTo === undefined ? -1 : words.indexOf("--");
  if (row.handsTo !== undefined && end >= 0) {
    const handed = { program: row.handsTo, args: args.slice(end + 1), env: [], redirects: [] };
    if (reachesFurther(handed, Math.max(1, from - end), breadth)) return true;
  }
  const { hosts } = programOf(name);
  const isOfHost = hosts === undefined || (hosts === "operands" && words.slice(0, from).some(isAddress));
  return breadth === "beginning" && isOfHost && words.slice(from).some(isAddress);
}

/** The program that a word of `runs` starts, with the number of words before it. */
function innerCommand(
  runs: string,
  args: readonly CheckedWord[],
  name: string,
): { command: CheckedCommand; start: number } | undefined {
  const isModule = runs === "-m";
  const at = runs === "" ? -1 : args.findIndex(({ text }) => runs.split(" ").includes(text));
  if (runs !== "" && (at < 0 || (!isModule && args.slice(0, at).some(({ text }) => !text.startsWith("-")))))
    return undefined;
  const start = isModule ? at + 1 : args.findIndex(({ text }, index) => index > at && !text.startsWith("-"));
  const program = args[start]?.text;
  if (program === undefined) return undefined;
  const own = `${name.replace(/[\d.]+$/, "")}-${program}`;
  const spoken = isModule && programs.has(own) ? own : program;
  return { command: { program: spoken, args: args.slice(start + 1), env: [], redirects: [] }, start };
}

const gitValued: ReadonlySet<string> = new Set(["-C", "-c", "--git-dir", "--work-tree", "--namespace", "--config-env"]);

function gitReachesFurther(args: readonly CheckedWord[], from: number, breadth: Breadth): boolean {
  const words = args.map(({ text }) => text);
  let at = 0;
  for (; words[at]?.startsWith("-"); at += 1) {
    const [word = "", next = ""] = words.slice(at);
    if (at >= from && isGitStart(word, next)) return true;
    if (gitValued.has(word)) at += 1;
  }
  const subcommand = words[at] ?? "";
  const row = subcommandsOfGit.get(subcommand) ?? otherSubcommand;
  const isNamed = at < from;
  if (row.itself === "starts" && !isNamed) return true;
  return goesBeyond(row, args.slice(at + 1), Math.max(0, from - at - 1), breadth);
}
