import { programOf } from "../programs/programs.ts";
import { programName } from "../shell/command-text.ts";
import { hasSubcommands } from "./command-name.ts";
import { deniedWords, isDenied, mayBeDenied } from "./denied-words.ts";
import type { CommandFindings } from "./find-in-command.ts";
import { type FoundCommand, MAX_CHARACTERS, normalizedWords } from "./found-command.ts";
import { isQuietCommand, isQuietStatement } from "./quiet-commands.ts";
import { textsGiven, withoutLists, wordRuns } from "./text-views.ts";

/**
 * Does any command in the line begin with these words? The match is wide: programs by their base name in any case of
 * letters, git without its global options, any word behind a program that may start others, and any text where the line
 * could not be read for certain.
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
 * Could a word that only a run shows make a command begin with these words: `git $x`, `… | xargs git`? Then the denial
 * is uncertain, and the call is asked about.
 */
export function commandMayDeny(argv: readonly string[], findings: CommandFindings): boolean {
  const wanted = deniedWords(argv);
  return (
    findings.views.some((words) => mayBeDenied(words, wanted, { isGuess: false })) ||
    findings.guesses.some((words) => mayBeDenied(words, wanted, { isGuess: true })) ||
    findings.commands.some(mayStartFromCode)
  );
}

/** Text in another language that starts programs, by names that it may put together. */
function mayStartFromCode(command: FoundCommand): boolean {
  const [program = ""] = normalizedWords(command);
  const { code, takesProgram } = programOf(program);
  return Boolean(code ?? takesProgram) && textsGiven(command).some((text) => starting.test(text));
}

const starting =
  /\b(?:system|exec[a-z]*|spawn\w*|popen|subprocess|shell\w*|child_process|qx|run-program|call-process|proc_open|passthru|ProcessBuilder)\b|`/i;

/** As written, without lists, with values apart from their names (`PAGER='cmd'`, `ext::cmd`), and without redirections amid the words. */
function textsOf(command: string): string[] {
  const apart = command.replace(/=!?|::/g, " ");
  const plain = command.replace(/\d{0,10}(?:[<>]{1,3}|&>)[&|]?\s*[^\s;&|<>]+/g, " ");
  return [command, ...[apart, plain, withoutLists(command)].filter((text) => text !== command)];
}

/** Do the words of a text name the command, in whatever language: `run(["git", "push"])`? */
function says(said: readonly string[], program: string, isWanted: (words: readonly string[]) => boolean): boolean {
  const starts = said.flatMap((word, at) => (programName(word).toLowerCase() === program ? [at] : []));
  return starts.length > MAX_STARTS || starts.some((at) => isWanted(said.slice(at, at + MAX_WORDS)));
}

/** More places than a text of use names a program in. */
const MAX_STARTS = 200;
/** More than a rule has, with options before a subcommand. */
const MAX_WORDS = 100;

/** Unknown programs may start any command among their arguments. */
function startsOthers(words: readonly string[], isWanted: (words: readonly string[]) => boolean): boolean {
  const [program = ""] = words;
  if (hasSubcommands(program) || isQuietStatement(words) || programOf(program).plainWords) return false;
  return words.some((_, index) => index > 0 && isWanted(words.slice(index, index + MAX_WORDS)));
}
