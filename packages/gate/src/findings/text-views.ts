import { withoutGitOptions } from "../programs/git/words.ts";
import { programOf } from "../programs/programs.ts";
import { fragmentsOf, keywords, programName, runFrom } from "../shell/command-text.ts";

/**
 * Every command that the text may run, as words: split at all that chains or substitutes, then also without keywords,
 * variable assignments, and what starts other programs, such as `sudo -u me`, `timeout 5`, `find -exec` or `bash -c`.
 */
export function commandViews(command: string): string[][] {
  return wordRuns(command, { anywhere: false });
}

/** The same; `anywhere` = from every word on, whatever stands before it. */
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
  // It may stand anywhere among their options.
  if (starts || shell || takesText) return all;
  const mayStart = (index: number) => program === "find" && /^-(?:exec|ok)/.test(words[index - 1] ?? "");
  return all.filter((index) => index <= first || mayStart(index));
}

/** The command by its program's own name; of git also without the options before its subcommand. */
export function readingsFrom(words: readonly string[]): string[][] {
  const [first = "", ...rest] = words;
  const plain = [programName(first), ...rest];
  if (plain[0] !== "git" || !rest[0]?.startsWith("-")) return [plain];
  return [plain, ["git", ...withoutGitOptions(rest)]];
}

/** Words of a command as other languages list them: `run(["rm", "-rf", x])` has `rm -rf x`. */
export function withoutLists(code: string): string {
  return code.replace(/["']\s*,\s*\[?\s*["']/g, " ").replace(/\[\s*(?=["'])|(?<=["'])\s*\]/g, ";");
}
