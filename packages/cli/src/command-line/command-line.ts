import { parseArgs } from "node:util";
import { CliError } from "../process/exit-codes.ts";
import { closestName } from "./closest-name.ts";
import { type FlagName, flagRow, flags, isFlag } from "./flags.ts";
import { otherFlag, otherMeaning, otherPermissionMode } from "./other-flags.ts";
import { isSubcommand, type Subcommand, secondWords, subcommandRow } from "./subcommand-rows.ts";
import { refuseUnknownWord } from "./unknown-word.ts";

export type CommandLine = {
  subcommand: Subcommand;
  /** Arguments that are not flags: the prompt, or the object of the subcommand. */
  positionals: string[];
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

/** `next`: the following argument, which may have been meant as the value of an unknown flag. */
type FlagToken = {
  name: string;
  rawName: string;
  value: string | undefined;
  isInline: boolean;
  typed: string;
  next: string | undefined;
};

/** Parses arguments; throws a `CliError` that says what is wrong and what was probably meant. */
export function readCommandLine(typed: readonly string[]): CommandLine {
  const flags = new Map<FlagName, string[]>();
  const args = withoutBare(typed, flags);
  const { tokens } = parseArgs({ args, options, strict: false, tokens: true });
  const positionals: string[] = [];
  const naming = new SubcommandParser();
  let isOver = false;
  for (const token of tokens) {
    if (token.kind === "option-terminator") isOver = true;
    else if (token.kind === "option")
      addFlag(flags, {
        ...token,
        isInline: token.inlineValue === true,
        typed: args[token.index] ?? token.rawName,
        next: args[token.index + 1],
      });
    // The first positionals name the subcommand; after -p or -- they belong to the prompt.
    else if (isOver || flags.has("print") || positionals.length > 0 || !naming.take(token.value))
      positionals.push(token.value);
  }
  const isHelp = flags.has("help");
  const named = naming.end(positionals, { isHelp });
  const subcommand: Subcommand = named ?? (flags.has("print") ? "run" : "window");
  if (subcommand === "window" && !isOver && !isHelp) refuseUnknownWord(positionals);
  for (const name of flags.keys()) refuseForeign(name, subcommand);
  if (!isHelp) refusePositionals(subcommand, positionals);
  return {
    subcommand,
    positionals,
    has: (flag) => flags.has(flag),
    value: (flag) => flags.get(flag)?.at(-1),
    values: (flag) => flags.get(flag) ?? [],
  };
}

/** The environment variables for flags that concern the whole server. */
export function serverVariables(line: CommandLine): Record<string, string> {
  const url = line.value("url");
  const provider = line.value("provider");
  return {
    ...(line.has("local-only") && { HARNESS_LOCAL_ONLY: "1" }),
    ...(url !== undefined && { HARNESS_URL: url }),
    // The address belongs to the named provider.
    ...(url !== undefined && provider !== undefined && { HARNESS_PROVIDER: provider }),
  };
}

/** Removes flags whose value is optional and missing: nothing follows, or another flag does. */
function withoutBare(args: readonly string[], flags: Map<FlagName, string[]>): string[] {
  const end = args.includes("--") ? args.indexOf("--") : args.length;
  return args.filter((typed, at) => {
    const name = flagNames.find((each) => typed === `--${each}` || typed === `-${flagRow(each).short}`);
    const next = at + 1 < end ? args[at + 1] : undefined;
    if (at >= end || name === undefined || flagRow(name).takes !== "maybe") return true;
    if (next !== undefined && !next.startsWith("-")) return true;
    // The flag before it lacks its value.
    if (takesNext(args[at - 1])) return true;
    flags.set(name, []);
    return false;
  });
}

function takesNext(before: string | undefined): boolean {
  const name = flagNames.find((each) => before === `--${each}` || before === `-${flagRow(each).short}`);
  return name !== undefined && ["value", "values"].includes(flagRow(name).takes);
}

/** Takes the words of the subcommand's name from the front of the positionals. */
class SubcommandParser {
  #first: string | undefined;
  #named: Subcommand | undefined;

  /** Returns false for a word that is not part of the name. */
  take(word: string): boolean {
    if (this.#named) return false;
    if (this.#first !== undefined) {
      const name = `${this.#first} ${word}`;
      // The typed word is not repeated, because it may be a misplaced key.
      if (!isSubcommand(name)) throw this.#unfinished(closestName(word, secondWords(this.#first)));
      this.#named = name;
    } else if (secondWords(word).length > 0) this.#first = word;
    else if (isSubcommand(word) && !word.includes(" ")) this.#named = word;
    else return false;
    return true;
  }

  /** The subcommand; for help, a lone first word of a two-word name becomes a positional. */
  end(positionals: string[], { isHelp }: { isHelp: boolean }): Subcommand | undefined {
    if (this.#first === undefined || this.#named) return this.#named;
    if (isSubcommand(this.#first)) return this.#first;
    if (!isHelp) throw this.#unfinished();
    positionals.unshift(this.#first);
    return "help";
  }

  #unfinished(meant?: string): CliError {
    const first = this.#first ?? "";
    const hint = meant ? `Did you mean harness ${first} ${meant}?` : `See harness help ${first}.`;
    return new CliError(
      "usage",
      `Usage: harness ${first} ${secondWords(first).join("|")}. ${hint} To send "${first} …" as a message: harness -- ${first} …`,
    );
  }
}

function refusePositionals(subcommand: Subcommand, positionals: readonly string[]): void {
  const { positionals: takes, usage } = subcommandRow(subcommand);
  if (takes === "any") return;
  if (takes === "one" && positionals.every((word) => word.trim() === ""))
    throw new CliError("usage", `Missing argument: ${usage}.`);
  if (positionals.length <= (takes ? 1 : 0)) return;
  if (subcommand === "auth rm" && isOnlyPlace(positionals)) return;
  // A key among the arguments is already in the shell's history and the process list: at least it is not repeated here.
  if (subcommand === "auth set")
    throw new CliError(
      "usage",
      `A key is not taken from the command line, where others can read it: ${usage} asks for it, or reads it from stdin. If one was given here, your shell's history has it.`,
    );
  throw new CliError(
    "usage",
    `Unexpected argument for ${usage}. To send a message that begins with this word: harness -- …`,
  );
}

/** Programs that store several credentials per provider number them; here there is one. */
function isOnlyPlace([provider, place = "", ...rest]: readonly string[]): boolean {
  if (rest.length > 0 || !/^\d+$/.test(place)) return false;
  if (Number(place) === 0) return true;
  throw new CliError(
    "usage",
    `One key or login is kept for each provider: harness auth rm ${provider} removes that of ${provider}.`,
  );
}

function addFlag(flags: Map<FlagName, string[]>, token: FlagToken): void {
  const { rawName: typed, value } = token;
  const name = knownFlag(token);
  const { takes, choices, older = [], value: valueName, mayBeBlank } = flagRow(name);
  if (takes === "nothing") {
    if (value !== undefined) throw new CliError("usage", `${typed} takes no value, but got "${value}".`);
    flags.set(name, []);
    return;
  }
  const example = choices ? choices.join(", ") : `${typed} ${valueName ?? "VALUE"}`;
  if (value === undefined || (value.trim() === "" && !mayBeBlank))
    throw new CliError("usage", `${typed} needs a value: ${example}.`);
  if (!token.isInline && isLikeFlag(value))
    throw new CliError("usage", `${typed} needs a value, but ${value} follows, which is a flag: ${example}.`);
  if (choices && !choices.includes(value) && !older.includes(value))
    throw new CliError(
      "usage",
      `${typed} takes one of ${choices.join(", ")}, not "${value}".${meantChoice(value, choices)}`,
    );
  flags.set(name, takes === "values" ? [...(flags.get(name) ?? []), value] : [value]);
}

function meantChoice(value: string, choices: readonly string[]): string {
  const other = otherPermissionMode(value);
  const meant = other !== undefined && choices.includes(other) ? other : closestName(value, choices);
  return meant === undefined ? "" : ` Did you mean ${meant}?`;
}

function knownFlag({ name, rawName, typed, value, next }: FlagToken): FlagName {
  const [written = ""] = typed.split("=");
  // `-model` would be read as `-m odel`.
  const isLongWithOneDash = /^-[^-]./.test(written) && isFlag(written.slice(1));
  if (isFlag(name) && !isLongWithOneDash) return name;
  const shown = isLongWithOneDash ? written : rawName;
  const other = otherFlag(rawName, value ?? next);
  if (other) throw new CliError("usage", `Unknown flag ${rawName}. In harness it is ${other}.`);
  const isLong = rawName.startsWith("--");
  const meant = isLongWithOneDash ? written.slice(1) : isLong ? closestName(name, flagNames) : undefined;
  throw new CliError(
    "usage",
    `Unknown flag ${shown}.${meant ? ` Did you mean --${meant}?` : ""} harness help flags lists them.`,
  );
}

/** Detects a forgotten value, followed by the next flag; a real value of that form must be written with `=`. */
function isLikeFlag(value: string): boolean {
  if (value.startsWith("--")) return isFlag(value.slice(2).split("=")[0] ?? "");
  return value.length === 2 && value.startsWith("-") && shorts.has(value[1]);
}

function refuseForeign(name: FlagName, subcommand: Subcommand): void {
  const homes: readonly Subcommand[] = flagRow(name).in;
  if (homes.includes(subcommand) || subcommand === "help" || subcommand === "version") return;
  const known = homes
    .map(spoken)
    .join(", ")
    .replace(/, (?=[^,]*$)/, " and ");
  const meant = subcommand === "window" ? otherMeaning(name) : undefined;
  throw new CliError(
    "usage",
    `--${name} belongs to ${known}, not to ${spoken(subcommand)}.${meant === undefined ? "" : ` For ${meant}.`}`,
  );
}

function spoken(subcommand: Subcommand): string {
  return subcommand === "window" ? "the window (harness without a subcommand)" : `harness ${subcommand}`;
}
