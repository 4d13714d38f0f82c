import { globsMeet } from "../../places/secret-files.ts";
import type { CheckedWord } from "../../shell/checked-line.ts";
import { leadsOutOfFolder } from "./elsewhere.ts";
import { soundsReaching, soundsReachingWith } from "./sounds-reaching.ts";

/**
 * Effects of a program's flags that the beginning of its command does not show. A rule for that beginning does not
 * cover them. Flags are given by name, separated by blanks: `-x`: a letter, which may be combined with others and have
 * its value attached; `--name`; `-name`: a word after one dash. `--name@`: only with a path or an address as its value.
 */
export type Reach = Readonly<{
  /**
   * They start programs, or load code or settings from elsewhere: not even a rule for the whole program covers them.
   */
  starts?: string;
  /** They write to chosen places, delete elsewhere, or name another host, folder or repository. */
  reaches?: string;
  /** Harmless flags that begin like one of these, if names may be abbreviated. */
  harmless?: string;
  /** Names may be abbreviated, as git and GNU programs allow. */
  shortens?: true;
  /** Names follow one dash or two, and letters are not combined: `-exec`, `--exec`. */
  words?: true;
  /** Names are case-insensitive. */
  anyCase?: true;
  /** Names may be written with dashes or capitals, and dots lead into them: `--setup-files`, `--outputFile.json`. */
  dotted?: true;
  /** A value may follow a colon: `-bl:x`. */
  colons?: true;
  /** Letters with a value: the rest of the word after one of them holds no flags. */
  valued?: string;
  /** Flags as `--name=value` or `-x value` whose value makes them harmless. */
  unless?: RegExp;
  /** Other words are for an unknown program. */
  passesOn?: true;
  /** It runs or rewrites the files that it is given, so files outside the folder are not covered. */
  inside?: true;
  /** The program that gets the words after `--`. */
  handsTo?: string;
  /** The first operand is a script, which gets all words after it. */
  script?: true;
  /** Texts in any position by which it starts programs or opens files. */
  says?: (word: string) => boolean;
  /** Rows that apply instead if the key is the first word. */
  subcommands?: Readonly<Record<string, Reach>>;
  /** Words followed by another program, which has its own row. */
  runs?: string;
  /** Words that are not flags. `at`: the number of such words before it. */
  operand?: (word: string, at: number) => "starts" | "reaches" | undefined;
  /** The subcommand itself starts programs: only a rule that names it covers it. */
  itself?: "starts";
}>;

/** A rule for a whole program (`bash(git *)`) covers everything that starts no others. */
export type Breadth = "beginning" | "program";

type Flag = { name: string; value: string; isLetter: boolean };

/** True if words from `from` on, after the name of a program, do more than the words before them say. */
export function goesBeyond(row: Reach, words: readonly CheckedWord[], from: number, breadth: Breadth): boolean {
  const isCounted = (kind: "starts" | "reaches" | undefined) => kind === "starts" || (kind && breadth === "beginning");
  let operands = 0;
  let flagsEnded = false;
  for (const [at, { text: word, glob }] of words.entries()) {
    if (at >= from && row.says?.(word)) return true;
    if (glob && at >= from && !flagsEnded && isCounted(kindOfNames(row, word))) return true;
    if (word === "--" && !flagsEnded) {
      flagsEnded = true;
      continue;
    }
    const isFlag = /^-./.test(word);
    if (isFlag && (!flagsEnded || row.passesOn || row.script)) {
      const kind = at < from ? undefined : kindOf(row, word, words[at + 1]?.text ?? "", flagsEnded);
      if (isCounted(kind)) return true;
      continue;
    }
    if (at >= from && isCounted(kindOfOperand(row, word, operands))) return true;
    operands += 1;
    // After a flag it may be the flag's value.
    flagsEnded ||= row.script === true && !words[at - 1]?.text.startsWith("-");
  }
  return false;
}

function kindOfOperand({ operand, inside }: Reach, word: string, at: number): "starts" | "reaches" | undefined {
  return operand?.(word, at) ?? (inside && leadsOutOfFolder(word) ? "reaches" : undefined);
}

/** A file may be named like a flag, so a pattern could expand to one. A pattern that begins with a letter cannot. */
function kindOfNames(row: Reach, pattern: string): "starts" | "reaches" | undefined {
  if (!/^[-*?[]/.test(pattern)) return undefined;
  for (const kind of ["starts", "reaches"] as const) {
    const names = row[kind] === undefined ? [] : listOf(row[kind]);
    if (names.some((name) => globsMeet(pattern, spellingsOf(name, row)))) return kind;
  }
  return row.operand && !pattern.startsWith("-") ? "reaches" : undefined;
}

/** Every spelling of a flag, with or without a value, as a pattern. */
function spellingsOf(flag: string, { words, shortens }: Reach): string {
  const name = flag.replace(/@$/, "");
  if (words) return `-*${name.replace(/^-+/, "")}*`;
  if (/^-[^-]$/.test(name)) return `-*${name.slice(1)}*`;
  return shortens ? `${name.slice(0, 3)}*` : `${name}*`;
}

function kindOf(row: Reach, word: string, next: string, passedOn: boolean): "starts" | "reaches" | undefined {
  if (!passedOn) {
    const flags = flagsIn(row, word, next);
    if (flags.some(({ name }) => name.length > 2 && listOf(row.harmless ?? "").includes(name))) return undefined;
    const counted = flags.filter(
      ({ name, value, isLetter }) => !row.unless?.test(`${name}${isLetter ? " " : "="}${value}`),
    );
    if (counted.length === 0) return undefined;
    for (const flag of counted) {
      for (const kind of ["starts", "reaches"] as const) {
        if (isNamed(row[kind], flag, row)) return kind;
      }
    }
  }
  if (row.inside && leadsOutOfFolder(word.replace(/^[^=]*=?/, ""))) return "reaches";
  const isUnknown = row.passesOn || (row.script && passedOn);
  return isUnknown && (soundsReaching(word) || soundsReachingWith(word, next)) ? "reaches" : undefined;
}

/** `-abc` both as letters and as a single word, `--name=value` as one flag. */
function flagsIn({ valued = "", words, colons }: Reach, word: string, next: string): Flag[] {
  const equals = word.search(colons ? /[=:]/ : "=");
  const name = equals < 0 ? word : word.slice(0, equals);
  const whole: Flag = { name, value: equals < 0 ? next : word.slice(equals + 1), isLetter: false };
  if (words) return [{ ...whole, name: name.replace(/^--/, "-") }];
  if (word.startsWith("--")) return [whole];
  const flags: Flag[] = name.length > 2 ? [whole] : [];
  for (let at = 1; at < word.length; at += 1) {
    const letter = word[at] ?? "";
    if (!/[A-Za-z0-9]/.test(letter)) break;
    flags.push({ name: `-${letter}`, value: word.slice(at + 1) || next, isLetter: true });
    if (valued.includes(letter)) break;
  }
  return flags;
}

const listOf = (names: string): readonly string[] => names.split(" ");

function isNamed(names: string | undefined, { name: given, value }: Flag, row: Reach): boolean {
  const { shortens, anyCase, dotted } = row;
  if (names === undefined) return false;
  const inCase = (text: string) => (anyCase ? text.toLowerCase() : text);
  const name = inCase(given);
  return listOf(names).some((each) => {
    const wantsPath = each.endsWith("@");
    const full = inCase(wantsPath ? each.slice(0, -1) : each);
    const isSame =
      full === name ||
      (dotted && leadsInto(full, name)) ||
      (shortens && name.length > 2 && name.startsWith("--") && full.startsWith(name));
    return isSame && (!wantsPath || /[/\\.:~]/.test(value));
  });
}

/**
 * `--poolOptions.forks.execArgv` leads into `--poolOptions`, and ends in `--execArgv`; dashes and capitals do not
 * matter.
 */
function leadsInto(flag: string, flagName: string): boolean {
  if (!flag.startsWith("--") || !flagName.startsWith("--")) return false;
  const [wanted, name] = [plain(flag), plain(flagName)];
  return name === wanted || name.startsWith(`${wanted}.`) || name.endsWith(`.${wanted}`);
}

function plain(flag: string): string {
  return flag.replaceAll("-", "").toLowerCase();
}
