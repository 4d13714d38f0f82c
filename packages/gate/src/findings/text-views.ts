import { withoutGitOptions } from "../programs/git/words.ts";
import { programOf, runsOthers } from "../programs/programs.ts";
import { stdinText } from "../programs/starts/stdin-words.ts";
import { fragmentsOf, keywords, programName, runFrom } from "../shell/command-text.ts";
import { type FoundCommand, MAX_CHARACTERS, normalizedWords } from "./found-command.ts";
import { isQuietStatement } from "./quiet-commands.ts";

/**
 * Every command that the text may run, as words: split at everything that chains or substitutes, and also without
 * keywords, variable assignments, and what starts other programs, such as `sudo -u me`, `timeout 5`, `find -exec` or
 * `bash -c`.
 */
export function commandViews(command: string): string[][] {
  return wordRuns(command, { anywhere: false });
}

/** The same; `anywhere`: starting at every word, whatever precedes it. */
export function wordRuns(command: string, { anywhere }: { anywhere: boolean }): string[][] {
  return fragmentsOf(command).flatMap((words) => {
    const starts = anywhere ? words.map((_, index) => index) : startsOf(words);
    return starts.flatMap((start) => readingsFrom(runFrom(words, start)));
  });
}

/** The indexes in a fragment at which a command may begin. */
function startsOf(words: readonly string[]): number[] {
  const all = words.map((_, index) => index);
  const first = words.findIndex((word) => !keywords.has(word) && !/^\w+\+?=/.test(word));
  if (first < 0) return all;
  const program = programName(words[first] ?? "");
  const { starts, shell, takesText } = programOf(program);
  // The command may come anywhere among their options.
  if (starts || shell || takesText) return all;
  const mayStart = (index: number) => program === "find" && /^-(?:exec|ok)/.test(words[index - 1] ?? "");
  return all.filter((index) => index <= first || mayStart(index));
}

/** The command by its program's base name; for git also without the options before its subcommand. */
export function readingsFrom(words: readonly string[]): string[][] {
  const [first = "", ...rest] = words;
  const plain = [programName(first), ...rest];
  if (plain[0] !== "git" || !rest[0]?.startsWith("-")) return [plain];
  return [plain, ["git", ...withoutGitOptions(rest)]];
}

/** The words of a command as other languages list them: `run(["rm", "-rf", x])` contains `rm -rf x`. */
export function withoutLists(code: string): string {
  return code.replace(/["']\s*,\s*\[?\s*["']/g, " ").replace(/\[\s*(?=["'])|(?<=["'])\s*\]/g, ";");
}

/** The words of a text in any language, without the punctuation between them. */
export function wordsSaid(text: string): string[] {
  return text
    .slice(0, MAX_CHARACTERS)
    .split(/[^\w./:@%+~-]+/)
    .map((word) => word.replace(/^[.:-](?=[a-z]+$)|:$/g, ""))
    .filter((word) => word !== "" && !/^(?:nil|null|None|args)$/.test(word));
}

/** Texts that a program is given and may execute: among its words, in a here-document, or through `echo`. */
export function textsGiven(command: FoundCommand): string[] {
  const [program = "", ...args] = normalizedWords(command);
  const { texts, plainWords, opensNothing, editor } = programOf(program);
  if (texts || plainWords || opensNothing === true || program === "") return [];
  const textWords = args.filter((word) => /[^\w./:@%+=~-]/.test(word));
  if (runsOthers(program) || editor) {
    textWords.push(
      ...command.redirects.filter(({ operator }) => operator.includes("<<")).map(({ target }) => target.text),
    );
    if (command.inputFrom) textWords.push(stdinText(command) ?? "");
  }
  return textWords.length === 0 || isQuietStatement([program, ...args]) ? [] : textWords;
}
