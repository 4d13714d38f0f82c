import { programOf } from "../programs/programs.ts";
import { programName } from "../shell/command-text.ts";
import { hasSubcommands } from "./command-name.ts";
import { deniedWords, isDenied, mayBeDenied } from "./denied-words.ts";
import type { CommandFindings } from "./find-in-command.ts";
import { type FoundCommand, MAX_CHARACTERS, normalizedWords } from "./found-command.ts";
import { isQuietCommand, isQuietStatement } from "./quiet-commands.ts";
import { textsGiven, withoutLists, wordRuns } from "./text-views.ts";

/**
 * True if any command in the line begins with these words. The match is broad: programs by base name in any letter
 * case, git without its global options, any word after a program that may start others, and any text if the line could
 * not be read with certainty.
 */
export function commandDenies(command: string, argv: readonly string[], findings: CommandFindings): boolean {
  const wanted = deniedWords(argv);
  const isWanted = (words: readonly string[]) => isDenied(words, wanted);
  if (findings.views.some((words) => isWanted(words) || startsOthers(words, isWanted))) return true;
  if (findings.said.some((words) => says(words, wanted.words[0] ?? "", isWanted))) return true;
  if (findings.guesses.some(isWanted)) return true;
  if (findings.exact) return false;
  const anywhere = !isQuietCommand(command);
  return textsOf(command.slice(0, MAX_CHARACTERS)).some((text) => wordRuns(text, { anywhere }).some(isWanted));
}

/**
 * True if a word known only at run time could make a command begin with these words, as in `git $x` or `… | xargs git`.
 * The denial is then uncertain and the call is asked about.
 */
export function commandMayDeny(argv: readonly string[], findings: CommandFindings): boolean {
  const wanted = deniedWords(argv);
  return (
    findings.views.some((words) => mayBeDenied(words, wanted, { isGuess: false })) ||
    findings.guesses.some((words) => mayBeDenied(words, wanted, { isGuess: true })) ||
    findings.commands.some(mayStartFromCode)
  );
}

/** Code in another language that starts programs, whose names it may build at run time. */
function mayStartFromCode(command: FoundCommand): boolean {
  const [program = ""] = normalizedWords(command);
  const { code, takesProgram } = programOf(program);
  return Boolean(code ?? takesProgram) && textsGiven(command).some((text) => starting.test(text));
}

const starting =
  /\b(?:system|exec[a-z]*|spawn\w*|popen|subprocess|shell\w*|child_process|qx|run-program|call-process|proc_open|passthru|ProcessBuilder)\b|`/i;

/**
 * The text as written, without list syntax, with values split from their names (`PAGER='cmd'`, `ext::cmd`), and without
 * redirections between the words.
 */
function textsOf(command: string): string[] {
  const apart = command.replace(/=!?|::/g, " ");
  const plain = command.replace(/\d{0,10}(?:[<>]{1,3}|&>)[&|]?\s*[^\s;&|<>]+/g, " ");
  return [command, ...[apart, plain, withoutLists(command)].filter((text) => text !== command)];
}

/** True if the words of a text in any language name the command: `run(["git", "push"])`. */
function says(words: readonly string[], program: string, isWanted: (words: readonly string[]) => boolean): boolean {
  const starts = words.flatMap((word, at) => (programName(word).toLowerCase() === program ? [at] : []));
  return starts.length > MAX_STARTS || starts.some((at) => isWanted(words.slice(at, at + MAX_WORDS)));
}

/** A plausible text names a program in fewer places. */
const MAX_STARTS = 200;
/** More than a rule contains, including options before a subcommand. */
const MAX_WORDS = 100;

/** Unknown programs may start any command among their arguments. */
function startsOthers(words: readonly string[], isWanted: (words: readonly string[]) => boolean): boolean {
  const [program = ""] = words;
  if (hasSubcommands(program) || isQuietStatement(words) || programOf(program).plainWords) return false;
  return words.some((_, index) => index > 0 && isWanted(words.slice(index, index + MAX_WORDS)));
}
