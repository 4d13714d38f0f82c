import { type FlagName, flagRow, flags } from "./flags.ts";
import type { Subcommand } from "./subcommand-rows.ts";

const names = Object.keys(flags) as FlagName[];

/** A flag as help shows it: `-m, --model MODEL`. */
export function flagUsage(name: FlagName): string {
  const { short, value, takes } = flagRow(name);
  const shown = value && (takes === "maybe" ? ` [${value}]` : ` ${value}`);
  return `${short ? `-${short}, ` : "    "}--${name}${shown ?? ""}`;
}

/** The meaning of a flag, with its values and its default. */
export function flagDoc(name: FlagName): string {
  const { choices, doc, value, fallback } = flagRow(name);
  const values = choices ? ` ${value}: ${choices.join(", ")}.` : "";
  return `${doc}${values}${fallback === undefined ? "" : ` Default: ${fallback}.`}`;
}

/** The flags that a subcommand takes, apart from those that every one has. */
export function flagsOf(subcommand: Subcommand): { own: FlagName[]; shared: FlagName[] } {
  const taken = names.filter((name) => flagRow(name).in.includes(subcommand));
  return { own: taken.filter((name) => !isShared(name)), shared: taken.filter(isShared) };
}

/** All flags under titles that say where they are used. */
export function flagGroups(): [title: string, names: FlagName[]][] {
  const groups = new Map<string, FlagName[]>();
  for (const name of names) {
    const title = groupTitle(name);
    groups.set(title, [...(groups.get(title) ?? []), name]);
  }
  return [...groups];
}

function groupTitle(name: FlagName): string {
  const { in: homes } = flagRow(name);
  if (isShared(name)) return "Every command";
  if (homes.includes("window"))
    return homes.includes("run") ? "The window, harness repl, run and agents test" : "The window";
  if (homes.includes("run")) return "harness run";
  return homes.map((home) => `harness ${home}`).join(", ");
}

function isShared(name: FlagName): boolean {
  return flagRow(name).in === flagRow("help").in;
}
