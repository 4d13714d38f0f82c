import { withoutGitOptions } from "../programs/git/words.ts";
import { isInterpreter, programOf } from "../programs/programs.ts";
import { programName } from "../shell/command-text.ts";

/** The words that a rule denies or asks about, prepared for comparison with many commands. */
type DeniedWords = { words: readonly string[]; operands: readonly string[]; flags: readonly string[] };

export function deniedWords(argv: readonly string[]): DeniedWords {
  const words = spoken(argv);
  return { words, operands: words.filter((word) => !isFlag(word)), flags: words.filter(isFlag) };
}

/**
 * True if the command begins with the denied words, or has all their flags in any order and spelling: `rm -rf` matches
 * `rm -f -r x` and `rm --recursive x --force`.
 */
export function isDenied(command: readonly string[], denied: DeniedWords): boolean {
  return readingsOf(command).some((words) => begins(words, denied.words) || hasFlags(words, denied));
}

/** True if a word known only at run time could make it such a command. `isGuess`: only if the program is known. */
export function mayBeDenied(
  command: readonly string[],
  denied: DeniedWords,
  { isGuess }: { isGuess: boolean },
): boolean {
  return readingsOf(command).some((words) => {
    const at = denied.words.findIndex((word, index) => words[index] !== word);
    if (at < 0) return true;
    if (isGuess && at === 0) return false;
    if (/[$`{}*?]/.test(words[at] ?? "")) return true;
    if (denied.flags.length === 0 || !begins(words, denied.operands.slice(0, 1))) return false;
    // Any of its words may be a flag, and a word may expand to several.
    const first = words.findIndex((word) => /^(?:[$`]|\{)/.test(word));
    return first >= 0 && hasOperands(words.slice(0, first), denied.operands.slice(0, first));
  });
}

function spoken(words: readonly string[]): string[] {
  const [first = "", ...rest] = words;
  return [programName(first).toLowerCase(), ...rest];
}

/** Programs and git subcommands with the effect of `git push`. */
const pushes = /^(?:send-pack|http-push|subtree push|lfs push|svn dcommit)(?: |$)/;

function readingsOf(command: readonly string[]): string[][] {
  const plain = spoken(command);
  const [program = "", ...rest] = plain;
  if (program.startsWith("git-")) return [plain, ...readingsOf(["git", program.slice(4), ...rest])];
  if (program !== "git") return [plain];
  const words = withoutGitOptions(rest);
  const readings = [plain, ["git", ...words]];
  const sent = pushes.exec(words.slice(0, 2).join(" "))?.[0].trim().split(" ").length;
  return sent === undefined ? readings : [...readings, ["git", "push", ...words.slice(sent)]];
}

function begins(words: readonly string[], wanted: readonly string[]): boolean {
  return wanted.every((word, index) => words[index] === word);
}

function isFlag(word: string): boolean {
  return /^-./.test(word);
}

function hasOperands(words: readonly string[], wanted: readonly string[]): boolean {
  return begins(
    words.filter((word) => !isFlag(word)),
    wanted,
  );
}

function hasFlags(words: readonly string[], { operands, flags }: DeniedWords): boolean {
  if (flags.length === 0 || words[0] !== operands[0] || !hasOperands(words, operands)) return false;
  const commandFlags = flagsOf(words);
  return flags.every((flag) => isGiven(flag, commandFlags, words[0] ?? ""));
}

/** Up to `--`; for programs whose operands have their own options, up to the first operand. */
function flagsOf([program = "", ...rest]: readonly string[]): string[] {
  const starts = isInterpreter(program) || programOf(program).starts !== undefined;
  const end = rest.findIndex((word) => word === "--" || (starts && !isFlag(word)));
  return rest.slice(0, end < 0 ? undefined : end).filter(isFlag);
}

/** Long spellings of the letters, for programs that accept both. */
const longSpellings: Readonly<Record<string, string>> = { r: "--recursive", R: "--recursive", f: "--force" };

function isGiven(flag: string, flags: readonly string[], program: string): boolean {
  if (flags.includes(flag)) return true;
  const { longNames: named = false, wordOptions = false } = programOf(program);
  if (flag.startsWith("--")) {
    // GNU programs accept abbreviated names; a value may be attached.
    if (flags.some((each) => each.length > 2 && isShortened(each, flag))) return true;
    return (
      named && Object.keys(longSpellings).some((letter) => longSpellings[letter] === flag && hasLetter(flags, letter))
    );
  }
  if (wordOptions || flag.length > 4) return false;
  return [...flag.slice(1)].every((letter) => {
    const long = named ? longSpellings[letter] : undefined;
    const letters = program === "rm" || program === "cp" ? [letter, otherR(letter)] : [letter];
    return (
      letters.some((each) => hasLetter(flags, each)) ||
      (long !== undefined && flags.some((each) => isShortened(each, long)))
    );
  });
}

function otherR(letter: string): string {
  return letter === "r" ? "R" : letter === "R" ? "r" : letter;
}

function isShortened(short: string, long: string): boolean {
  const name = short.split("=")[0] ?? "";
  return name.length > 2 && name.startsWith("--") && long.startsWith(name);
}

function hasLetter(flags: readonly string[], letter: string): boolean {
  return flags.some((each) => /^-[^-]/.test(each) && each.length <= 7 && each.includes(letter, 1));
}
