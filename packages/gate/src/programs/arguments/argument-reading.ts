import type { CheckedWord } from "../../shell/checked-line.ts";

/**
 * The paths named by the arguments of one command, in the command's folder; globs keep their stars. `folder`: it also
 * reads its current folder. `reason`: why the arguments do not provably only read. `flags`: names of the given flags;
 * `flagsEnd`: the number of words before the place where flags end.
 */
export type ArgumentReading =
  | { paths: CheckedWord[]; folder?: boolean; flags?: string[]; flagsEnd?: number }
  | { reason: string };

/** Judges the arguments of a program that may run unasked as long as they only read. Never throws. */
export type ArgumentReader = (args: readonly CheckedWord[]) => ArgumentReading;

/** A flag as given, with its `value` if it has one. */
type GivenFlag = { name: string; value?: string };
/** `behind`: the words after the first operand that were read as flags or their values. */
export type GivenArguments = {
  flags: GivenFlag[];
  operands: CheckedWord[];
  behind: CheckedWord[];
  flagsEnd: number;
};

type ValueKind = "number" | "word" | "path";
type Flag =
  | { kind: "bare" }
  | { kind: "valued"; value: ValueKind; last: boolean }
  | { kind: "optional"; value: ValueKind };
/** Flags by name with its dashes, as the table spells it; `-#`: a number with a dash. */
export type Flags = ReadonlyMap<string, Flag>;

/**
 * Parses the table's spelling, separated by blanks: `-abc` three letters that may be combined, `-n=number` a letter
 * with a value, `-U[=number]` a letter whose optional value must be attached, `--all`, `--lines=number`,
 * `--color[=word]`, `--merged=word?` whose value may be missing at the end, `-#`.
 */
export function readFlagTable(spelling: string): Flags {
  const flags = new Map<string, Flag>();
  for (const word of spelling.split(/\s+/).filter(Boolean)) {
    const [, name = "", optional, text, last] = /^(--?[^=[]+)(\[)?(?:=(\w+)(\?)?\]?)?$/.exec(word) ?? [];
    if (text !== undefined) {
      const value = text as ValueKind;
      flags.set(name, optional ? { kind: "optional", value } : { kind: "valued", value, last: last !== undefined });
    } else if (name.startsWith("--")) {
      flags.set(name, { kind: "bare" });
    } else {
      for (const letter of name.slice(1)) flags.set(`-${letter}`, { kind: "bare" });
    }
  }
  return flags;
}

export type FlagRules = {
  /**
   * For programs with their own reading of combined letters: a letter with a value takes it from the next word, and
   * must be `last` in its word, or `alone`.
   */
  apart?: "last" | "alone";
  /** After the first operand nothing is a flag. */
  flagsFirst?: boolean;
};

type Reason = { reason: string };
type Scan = GivenArguments & { paths: CheckedWord[]; flags: GivenFlag[]; rest: CheckedWord[] };

/**
 * Splits arguments into known flags and operands, as getopt does: combined letters, `--name=value`, flags after
 * operands, `--`. It returns a reason for unknown or abbreviated flags, and for file patterns that may expand to a flag
 * or its value.
 */
export function readArguments(
  args: readonly CheckedWord[],
  flags: Flags,
  rules: FlagRules = {},
): (GivenArguments & { paths: CheckedWord[] }) | Reason {
  const rest = [...args].reverse();
  const scan: Scan = { flags: [], operands: [], behind: [], flagsEnd: args.length, paths: [], rest };
  for (let word = scan.rest.pop(); word; word = scan.rest.pop()) {
    if (word.text === "--") {
      if (scan.operands.length > 0) scan.behind.push(word);
      scan.flagsEnd = args.length - scan.rest.length - 1;
      scan.operands.push(...scan.rest.reverse());
      break;
    }
    if (!word.text.startsWith("-") || word.text === "-") {
      scan.operands.push(word);
      if (!rules.flagsFirst) continue;
      scan.flagsEnd = args.length - scan.rest.length - 1;
      scan.operands.push(...scan.rest.reverse());
      break;
    }
    const start = args.length - rest.length - 1;
    const problem = word.text.startsWith("--")
      ? takeLong(word, flags, scan)
      : takeLetters(word, flags, scan, rules.apart);
    if (problem) return problem;
    if (scan.operands.length > 0) scan.behind.push(...args.slice(start, args.length - rest.length));
  }
  const dashed = scan.operands.find(({ text, glob }) => glob && text.startsWith("-"));
  return dashed ? { reason: `${dashed.text} may match names that are flags` } : scan;
}

function unknown(name: string): Reason {
  return { reason: `${name} is not a flag known to be read-only` };
}

function takeLong(word: CheckedWord, flags: Flags, scan: Scan): Reason | undefined {
  const equals = word.text.indexOf("=");
  const name = equals < 0 ? word.text : word.text.slice(0, equals);
  const flag = flags.get(name);
  if (!flag || /[*?]/.test(name)) return unknown(name);
  if (equals >= 0) {
    if (flag.kind === "bare") return unknown(word.text);
    // No file is called `--include=x.ts`, so the pattern is not expanded.
    if (word.glob && flag.value !== "word") return { reason: `the pattern in ${word.text} is not quoted` };
    return takeValue(name, { text: word.text.slice(equals + 1), glob: false }, flag.value, scan);
  }
  if (flag.kind !== "valued" || (flag.last && scan.rest.length === 0)) {
    scan.flags.push({ name });
    return undefined;
  }
  return takeValue(name, scan.rest.pop(), flag.value, scan);
}

function takeLetters(word: CheckedWord, flags: Flags, scan: Scan, apart: FlagRules["apart"]): Reason | undefined {
  const { text } = word;
  if (word.glob) return { reason: `${text} may match names that are flags` };
  if (/^-\d+$/.test(text) && flags.has("-#")) {
    scan.flags.push({ name: "-#", value: text.slice(1) });
    return undefined;
  }
  if (text.includes("#")) return unknown(text);
  for (let at = 1; at < text.length; at++) {
    const name = `-${text[at]}`;
    const flag = flags.get(name);
    if (!flag) return unknown(text.length > 2 ? `${name} (in ${text})` : name);
    if (flag.kind === "bare") {
      scan.flags.push({ name });
      continue;
    }
    const joined = text.slice(at + 1);
    if (flag.kind === "optional") {
      if (joined !== "") return takeValue(name, { text: joined, glob: false }, flag.value, scan);
      scan.flags.push({ name });
      continue;
    }
    if (apart === "last" ? joined !== "" : apart === "alone" && text.length > 2) return unknown(text);
    return takeValue(name, joined === "" ? scan.rest.pop() : { text: joined, glob: false }, flag.value, scan);
  }
  return undefined;
}

function takeValue(name: string, value: CheckedWord | undefined, kind: ValueKind, scan: Scan): Reason | undefined {
  if (value === undefined) return { reason: `the value of ${name} is missing` };
  if (value.glob) return { reason: `the pattern ${value.text} is not quoted` };
  if (kind === "number" && !/^[-+]?\d+[a-zA-Z]{0,3}$/.test(value.text)) {
    return { reason: `${name} ${value.text} is not a number` };
  }
  if (kind === "path") scan.paths.push(value);
  scan.flags.push({ name, value: value.text });
  return undefined;
}
