import type { CheckedCommand, CheckedWord } from "../../shell/checked-line.ts";
import { programName } from "../../shell/command-text.ts";
import { programOf } from "../programs.ts";
import { buildReach } from "./build-reach.ts";
import { checkReach } from "./check-reach.ts";
import { isAddress } from "./elsewhere.ts";
import { gitSubcommands, isGitStart, otherSubcommand } from "./git-reach.ts";
import { type Breadth, goesBeyond, type Reach } from "./reach.ts";
import { scriptReach } from "./script-reach.ts";
import { systemReach } from "./system-reach.ts";

function byName(rows: Readonly<Record<string, Reach>>): ReadonlyMap<string, Reach> {
  return new Map(Object.entries(rows).flatMap(([names, row]) => names.split(" ").map((name) => [name, row] as const)));
}

const programs = byName({ ...scriptReach, ...buildReach, ...checkReach, ...systemReach });
const subcommandsOfGit = byName(gitSubcommands);

/** Flags that sound as if they reached elsewhere do so; an address is another host. */
const unknown: Reach = { passesOn: true };

/**
 * Does a command more than a rule for its first `length` words says: by flags that start programs, load, write to chosen places,
 * delete or name other hosts and repositories, in whatever spelling; by addresses where names are usual?
 */
export function reachesFurther({ program, args }: CheckedCommand, length: number, breadth: Breadth): boolean {
  const words = args.map(({ text }) => text);
  const from = Math.max(0, length - 1);
  const name = programName(program);
  if (name === "git") return gitReachesFurther(args, from, breadth);
  const row = programs.get(name) ?? programs.get(name.replace(/[\d.]+$/, "")) ?? unknown;
  if (goesBeyond(row, args, from, breadth)) return true;
  return breadth === "beginning" && programOf(name).hosts === undefined && words.slice(from).some(isAddress);
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
