import type { ShellWord } from "../ports/shell-grammar.ts";
import { programOf } from "../programs/programs.ts";
import { commandVariables } from "../programs/starts/started-commands.ts";
import { ANY_WORDS } from "../programs/starts/stdin-words.ts";
import { joinedLines, programName, runFrom, splitWords, statementsOf } from "../shell/command-text.ts";
import { bounded, type CommandLocation, type FoundCommand, type FoundCommands, folderAfter } from "./found-command.ts";
import { startingSubcommand } from "./started-commands.ts";
import { commandViews, readingsFrom } from "./text-views.ts";

/** Keywords that may precede a command, including those that the grammar reads as words after `time` and `coproc`. */
export const leadingKeywords: ReadonlySet<string> = new Set(
  "if while until elif then do else ! time coproc { ( for case select function".split(" "),
);

/** By text alone: everything that looks like a command, whatever surrounds it. */
export function textCollection(command: string, location: CommandLocation): FoundCommands {
  const commands: FoundCommand[] = [];
  const guesses = commandViews(command);
  let cwd = location.cwd;
  // Editors run the commands after a `!`.
  if (command.includes("!")) guesses.push(...commandViews(command.replaceAll("!", "\n")));
  for (const words of statementsOf(command)) {
    const spoken = words.map((word): ShellWord => ({ text: word, literal: !/[*?[\]{}~$]/.test(word) }));
    const found = { words: spoken, assignments: [], redirects: [], piped: false, nested: false, cwd, behind: false };
    commands.push(found);
    cwd = folderAfter(found, cwd, location);
    guesses.push(...byInput(words));
    if (!mayStartOthers(words)) continue;
    words.forEach((word, at) => {
      const rest = runFrom(words, at).slice(1);
      guesses.push(...readingsFrom([word, ...rest]), ...readingsFrom([word.replace(/^[^=]*=!?/, ""), ...rest]));
    });
  }
  for (const folder of new Set([location.cwd, cwd])) commands.push(...redirected(command, folder));
  return bounded({ commands, guesses, byGrammar: false });
}

/** All redirections in the text, whatever command they belong to. */
function redirected(command: string, cwd: string): FoundCommand[] {
  const redirects = redirectTargets(command).map((text) => ({ operator: ">", target: { text, literal: false } }));
  if (redirects.length === 0) return [];
  return [{ words: [], assignments: [], redirects, piped: false, nested: false, cwd, behind: false }];
}

/** Any words may follow programs that turn their input into commands. */
function byInput(words: readonly string[]): string[][] {
  const start = words.findIndex((word) => programOf(programName(word)).starts === "input");
  if (start < 0) return [];
  const rest = words.slice(start + 1, start + 20);
  // Placeholders for input are unknown here.
  return rest.flatMap((word, at) => [
    ...readingsFrom([...rest.slice(at), ANY_WORDS.text]),
    ...readingsFrom([word, ANY_WORDS.text]),
  ]);
}

/** By text alone, including those in quotes. */
export function redirectTargets(command: string): string[] {
  return [...joinedLines(command).matchAll(/>{1,2}\|?\s*("[^"]+"|'[^']+'|[^\s;&|<>]+)/g)].flatMap((match) =>
    splitWords(match[1] ?? ""),
  );
}

/** Programs that reading by text does not recognise as wrappers. */
function mayStartOthers(words: readonly string[]): boolean {
  if (words.some((word) => commandVariables.test(word))) return true;
  const start = words.findIndex((word) => !leadingKeywords.has(word) && !/^\w+\+?=/.test(word));
  const [program = "", ...rest] = words.slice(Math.max(start, 0));
  const name = programName(program);
  const row = programOf(name);
  if (row.starts === "anywhere" || row.starts === "input" || row.takesText) return true;
  if (name === "git") return rest.some((word) => /^(?:-c.*|submodule|bisect|rebase|filter-branch)$/.test(word));
  return startingSubcommand(row, rest) !== undefined;
}
