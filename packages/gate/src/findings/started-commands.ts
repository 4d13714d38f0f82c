import type { ShellWord } from "../ports/shell-grammar.ts";
import { valuesOf } from "../programs/arguments/operands.ts";
import { hidesGitSettings } from "../programs/git/words.ts";
import type { Program } from "../programs/program.ts";
import { isInterpreter, programOf } from "../programs/programs.ts";
import {
  addAnywhere,
  addText,
  addTexts,
  commandStart,
  commandVariables,
  hiddenGitSettings,
  type StartedCommands,
} from "../programs/starts/started-commands.ts";
import { programName } from "../shell/command-text.ts";
import { type CommandLocation, type FoundCommand, resolveWord } from "./found-command.ts";

/** The commands that a command starts, as far as its arguments show. */
export function startedBy(command: FoundCommand, location: CommandLocation): StartedCommands {
  const started: StartedCommands = { commands: [], texts: hiddenTexts(command), code: [], maybe: [] };
  for (const each of command.assignments) {
    if (commandVariables.test(each)) addText(started, assigned(each));
    if (hidesGitSettings(each)) started.problem ??= hiddenGitSettings;
  }
  const [first, ...rest] = command.words;
  if (!first) return started;
  const program = programName(first.text);
  const row = programOf(program);
  addWrapped(started, row, rest);
  const words = rest.map(({ text }) => text);
  const subcommand = startingSubcommand(row, words);
  if (subcommand) addAnywhere(started, rest.slice(subcommand.length));
  addCode(started, row, words);
  if (isInterpreter(program)) {
    for (const { operator, target } of command.redirects) if (operator.includes("<<")) started.code.push(target.text);
  }
  if (row.runsOption) addTexts(started, runValues(words, row));
  const { aliases } = location;
  const aliasesFrom = aliases && ((folder: string) => aliases(resolveWord(folder, command.cwd, location)));
  row.start?.(started, rest, command, aliasesFrom ? { aliasesFrom } : {});
  return started;
}

/** The words after a subcommand that is followed by a command: `exec` of `npm exec`. */
export function startingSubcommand(
  { startingSubcommands = [] }: Program,
  words: readonly string[],
): readonly string[] | undefined {
  return startingSubcommands
    .map((each) => each.split(" "))
    .find((each) => each.every((word, index) => word === words[index]));
}

/** The commands that a program runs because of its options, including `--checkpoint-action=exec=cmd`. */
function runValues(words: readonly string[], { runsOption, valued, wordOptions }: Program): string[] {
  const values = valuesOf(words, runsOption, { valued, wordOptions });
  // `--checkpoint=1` is not an abbreviation of `--checkpoint-action`.
  return values.map((value) => value.replace(/^exec=/, "")).filter((value) => !/^\d+$/.test(value));
}

/** The value of `NAME=value` as written, without quotes. */
function assigned(assignment: string): ShellWord {
  const value = assignment.slice(assignment.indexOf("=") + 1);
  return { text: value.replace(/^(['"])([\s\S]*)\1$/, "$2"), literal: value.startsWith("'") || !/[$`]/.test(value) };
}

function addWrapped(started: StartedCommands, { starts }: Program, rest: readonly ShellWord[]): void {
  if (starts === undefined || starts === "input") return;
  const start = starts === "anywhere" ? undefined : commandStart(starts, rest);
  if (start === undefined) addAnywhere(started, rest);
  else if (start < rest.length) started.commands.push(rest.slice(start));
}

/** Code in other languages among the words. */
function addCode(started: StartedCommands, { takesProgram, code }: Program, words: readonly string[]): void {
  if (takesProgram) started.code.push(...words.filter((text) => /\W/.test(text)));
  if (!code) return;
  words.forEach((word, index) => {
    if (code.test(word)) started.code.push(words[index + 1] ?? "");
    else if (word.includes("=") && code.test(word.split("=")[0] ?? "")) started.code.push(word);
  });
}

const evaluating: ReadonlySet<string> = new Set(
  "test let declare typeset local export readonly unset printf read mapfile readarray wait getopts".split(" "),
);

/**
 * Quoted text that arithmetic evaluates anyway, as in `[[ 'a[$(rm x)]' -eq 0 ]]`: an index is evaluated wherever a
 * number is expected, even through a variable.
 */
function hiddenTexts({ words, assignments, redirects }: FoundCommand): string[] {
  const program = words[0]?.text ?? "";
  const evaluated = evaluating.has(program) || words.length === 0 ? words.map(({ text }) => text) : [];
  return [...evaluated, ...assignments, ...(words.length === 0 ? redirects.map(({ target }) => target.text) : [])]
    .filter((text) => text.includes("[") && /\$\(|`/.test(text.slice(text.indexOf("["))))
    .map((text) => `: ${text.slice(text.search(/\$\(|`/)).replace(/\][^\])`]*$/, "")}`);
}
