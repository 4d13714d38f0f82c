import { parseArgs } from "node:util";
import { CliError } from "../process/exit-codes.ts";
import { closestName } from "./closest-name.ts";
import { type FlagName, flagRow, flags, isFlag } from "./flags.ts";
import { isSubcommand, type Subcommand, secondWords, subcommandRow } from "./subcommand-rows.ts";

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

type FlagToken = { name: string; rawName: string; value: string | undefined; isInline: boolean; typed: string };

/** Parses arguments; throws a `CliError` that says what is wrong and what was probably meant. */
export function readCommandLine(args: readonly string[]): CommandLine {
  const { tokens } = parseArgs({ args: [...args], options, strict: false, tokens: true });
  const given = new Map<FlagName, string[]>();
  const positionals: string[] = [];
  const naming = new Naming();
  let isOver = false;
  for (const token of tokens) {
    if (token.kind === "option-terminator") isOver = true;
    else if (token.kind === "option")
      addFlag(given, { ...token, isInline: token.inlineValue === true, typed: args[token.index] ?? token.rawName });
    // The first positionals name the subcommand; after -p, or after --, they belong to the prompt.
    else if (isOver || given.has("print") || positionals.length > 0 || !naming.take(token.value))
      positionals.push(token.value);
  }
  const subcommand: Subcommand = naming.end(given.has("help")) ?? (given.has("print") ? "run" : "window");
  for (const name of given.keys()) refuseForeign(name, subcommand);
  if (!given.has("help")) refusePositionals(subcommand, positionals);
  return {
    subcommand,
    positionals,
    has: (flag) => given.has(flag),
    value: (flag) => given.get(flag)?.at(-1),
    values: (flag) => given.get(flag) ?? [],
  };
}

/** Takes the words of the subcommand's name off the front of the positionals. */
class Naming {
  #first: string | undefined;
  #named: Subcommand | undefined;

  /** Returns false for a word that is not part of the name. */
  take(word: string): boolean {
    if (this.#named) return false;
    if (this.#first !== undefined) {
      const name = `${this.#first} ${word}`;
      // The typed word is not repeated: it may be a misplaced key.
      if (!isSubcommand(name)) throw this.#unfinished(closestName(word, secondWords(this.#first)));
      this.#named = name;
    } else if (secondWords(word).length > 0) this.#first = word;
    else if (isSubcommand(word) && !word.includes(" ")) this.#named = word;
    else return false;
    return true;
  }

  end(isHelp: boolean): Subcommand | undefined {
    if (this.#first === undefined || this.#named) return this.#named;
    if (isSubcommand(this.#first)) return this.#first;
    if (isHelp) return "help";
    throw this.#unfinished();
  }

  #unfinished(meant?: string): CliError {
    const first = this.#first ?? "";
    const hint = meant ? `Did you mean harness ${first} ${meant}?` : "See harness help.";
    return new CliError(
      "usage",
      `harness ${first} needs one of ${secondWords(first).join(", ")}. ${hint} To send a message that begins with this word: harness -- ${first} …`,
    );
  }
}

function refusePositionals(subcommand: Subcommand, positionals: readonly string[]): void {
  const { positionals: takes, usage } = subcommandRow(subcommand);
  if (takes === "any") return;
  if (takes === "one" && positionals.every((word) => word.trim() === ""))
    throw new CliError("usage", `Missing argument: ${usage}.`);
  if (positionals.length <= (takes ? 1 : 0)) return;
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
  throw new CliError("usage", `Unknown flag ${shown}.${meant ? ` Did you mean --${meant}?` : ""} See harness help.`);
}

/** Detects a forgotten value, where the next flag follows; a real value of that form is written with `=`. */
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
  throw new CliError("usage", `--${name} belongs to ${known}, not to ${spoken(subcommand)}.`);
}

function spoken(subcommand: Subcommand): string {
  return subcommand === "window" ? "the window (harness without a subcommand)" : `harness ${subcommand}`;
}
