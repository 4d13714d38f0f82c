import { flagsOf } from "../flag-lines.ts";
import { type FlagName, flagRow, flags } from "../flags.ts";
import { families, type Subcommand, secondWords, subcommandRow, subcommands } from "../subcommand-rows.ts";

type Offer = { readonly word: string; readonly doc: string };

/** Possible continuations of a command line, from the tables of subcommands and flags. */
export type Completions = {
  /** Words after a command, by its name: the empty name has the subcommands. */
  readonly words: ReadonlyMap<string, readonly Offer[]>;
  /** Flags by the command that they belong to. */
  readonly flags: ReadonlyMap<string, readonly FlagOffer[]>;
  /** Flags that are followed by a value. */
  readonly valued: readonly string[];
  /** First words of commands with two-word names. */
  readonly families: readonly string[];
};

export type FlagOffer = Offer & {
  readonly short: string | undefined;
  readonly takes: "nothing" | "text" | "files" | "folders";
  readonly choices: readonly string[];
};

/** Prints the user's own commands, each with a description after a tab. */
export const OWN_COMMANDS = "harness completion commands";

/** The user's own commands are also offered after these words. */
export const withOwn: ReadonlySet<string> = new Set(["", "help"]);

/** The shells that can be completed in. */
export const shellNames = ["bash", "zsh", "fish"] as const;

export function completions(): Completions {
  const names = Object.keys(subcommands) as Subcommand[];
  const singles = names.filter((name) => !name.includes(" ") && name !== "window");
  const families_ = Object.keys(families);
  const seconds = (word: string): Offer[] =>
    secondWords(word).map((second) => ({ word: second, doc: subcommandRow(`${word} ${second}` as Subcommand).doc }));
  const first = [
    ...singles.map((name) => ({ word: name, doc: subcommandRow(name).doc })),
    ...families_.map((word) => ({ word, doc: families[word] ?? "" })),
  ];
  const plain = (words: readonly string[]): Offer[] => words.map((word) => ({ word, doc: "" }));
  return {
    words: new Map<string, readonly Offer[]>([
      ["", first],
      ...families_.map((word) => [word, seconds(word)] as const),
      ["hooks", seconds("hooks")],
      ["completion", plain(shellNames)],
      ["help", [...first, ...plain(["flags", "exit-codes"])]],
      ["plugin new", plain(["tool", "hook", "command", "provider"])],
    ]),
    flags: new Map(names.map((name) => [name === "window" ? "" : name, offersOf(name)])),
    valued: (Object.keys(flags) as FlagName[]).filter((name) => takesValue(name)).flatMap(formsOf),
    families: [...families_, "hooks"],
  };
}

function offersOf(name: Subcommand): FlagOffer[] {
  const { own, shared } = flagsOf(name);
  return [...own, ...shared].map((flag) => {
    const { doc, short, choices = [] } = flagRow(flag);
    return { word: flag, doc, short, choices, takes: kindOf(flag) };
  });
}

function kindOf(name: FlagName): FlagOffer["takes"] {
  const { value } = flagRow(name);
  if (!takesValue(name)) return "nothing";
  if (value === "DIR") return "folders";
  return value === "FILE" || value === "PATH" ? "files" : "text";
}

/** An optional value is not waited for. */
function takesValue(name: FlagName): boolean {
  const { takes } = flagRow(name);
  return takes === "value" || takes === "values";
}

function formsOf(name: FlagName): string[] {
  const { short } = flagRow(name);
  return [`--${name}`, ...(short ? [`-${short}`] : [])];
}
