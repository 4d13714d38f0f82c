import { parseArgs } from "node:util";
import { closestName } from "./close-names.ts";
import { CliError } from "./exit-codes.ts";
import { type FlagName, flagRow, flags, isFlag, isSubcommand, type Subcommand } from "./flags.ts";

export type CommandLine = {
  subcommand: Subcommand;
  /** Words that are no flags: the prompt. */
  words: string[];
  has(flag: FlagName): boolean;
  value(flag: FlagName): string | undefined;
  values(flag: FlagName): string[];
};

const flagNames = Object.keys(flags) as FlagName[];
const shorts = new Set(flagNames.map((name) => flagRow(name).short));

const options = Object.fromEntries(
  flagNames.map((name) => {
    const { takes, short } = flagRow(name);
    const type = takes === "nothing" ? ("boolean" as const) : ("string" as const);
    return [name, { type, multiple: takes === "values", ...(short ? { short } : {}) }];
  }),
);

type FlagToken = { name: string; rawName: string; value: string | undefined; isInline: boolean; typed: string };

/** Reads arguments; throws a `CliError` that says what is wrong and what was probably meant. */
export function readCommandLine(args: readonly string[]): CommandLine {
  const { tokens } = parseArgs({ args: [...args], options, strict: false, tokens: true });
  const given = new Map<FlagName, string[]>();
  const words: string[] = [];
  let named: Subcommand | undefined;
  let isOver = false;
  for (const token of tokens) {
    if (token.kind === "option-terminator") isOver = true;
    else if (token.kind === "option")
      addFlag(given, { ...token, isInline: token.inlineValue === true, typed: args[token.index] ?? token.rawName });
    // The first word names the subcommand; after -p, or after --, it is a word of the prompt.
    else if (!named && words.length === 0 && !isOver && !given.has("print") && isSubcommand(token.value))
      named = token.value;
    else words.push(token.value);
  }
  const subcommand: Subcommand = named ?? (given.has("print") ? "run" : "window");
  for (const name of given.keys()) refuseForeign(name, subcommand);
  return {
    subcommand,
    words,
    has: (flag) => given.has(flag),
    value: (flag) => given.get(flag)?.at(-1),
    values: (flag) => given.get(flag) ?? [],
  };
}

function addFlag(given: Map<FlagName, string[]>, token: FlagToken): void {
  const { rawName: typed, value } = token;
  const name = knownFlag(token);
  const { takes, choices, value: valueName, mayBeBlank } = flagRow(name);
  if (takes === "nothing") {
    if (value !== undefined) throw new CliError("usage", `${typed} takes no value, but got "${value}".`);
    given.set(name, []);
    return;
  }
  const example = choices ? choices.join(", ") : `${typed} ${valueName ?? "VALUE"}`;
  if (value === undefined || (value.trim() === "" && !mayBeBlank))
    throw new CliError("usage", `${typed} needs a value: ${example}.`);
  if (!token.isInline && isLikeFlag(value))
    throw new CliError("usage", `${typed} needs a value, but ${value} follows, which is a flag: ${example}.`);
  if (choices && !choices.includes(value))
    throw new CliError("usage", `${typed} takes one of ${choices.join(", ")}, not "${value}".`);
  given.set(name, takes === "values" ? [...(given.get(name) ?? []), value] : [value]);
}

function knownFlag({ name, rawName, typed }: FlagToken): FlagName {
  const [written = ""] = typed.split("=");
  // `-model` would be read as `-m odel`.
  const isLongWithOneDash = /^-[^-]./.test(written) && isFlag(written.slice(1));
  if (isFlag(name) && !isLongWithOneDash) return name;
  const shown = isLongWithOneDash ? written : rawName;
  const isLong = rawName.startsWith("--");
  const meant = isLongWithOneDash ? written.slice(1) : isLong ? closestName(name, flagNames) : undefined;
  throw new CliError(
    "usage",
    `There is no flag ${shown}.${meant ? ` Did you mean --${meant}?` : ""} See harness help.`,
  );
}

/** A forgotten value makes the next flag look like one; a real value of that form is written with `=`. */
function isLikeFlag(value: string): boolean {
  if (value.startsWith("--")) return isFlag(value.slice(2).split("=")[0] ?? "");
  return value.length === 2 && value.startsWith("-") && shorts.has(value[1]);
}

function refuseForeign(name: FlagName, subcommand: Subcommand): void {
  const homes: readonly Subcommand[] = flagRow(name).in;
  if (homes.includes(subcommand) || subcommand === "help" || subcommand === "version") return;
  const known = homes.map(spoken).join(" and ");
  throw new CliError("usage", `--${name} belongs to ${known}, not to ${spoken(subcommand)}.`);
}

function spoken(subcommand: Subcommand): string {
  return subcommand === "window" ? "the window (harness without a subcommand)" : `harness ${subcommand}`;
}
