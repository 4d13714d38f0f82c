import type { ReadingTime, ShellCommand, ShellGrammar, ShellReading, ShellWord } from "../ports/shell-grammar.ts";
import { programOf } from "../programs/programs.ts";
import { editorText } from "../programs/starts/editor-text.ts";
import { commandVariables } from "../programs/starts/started.ts";
import { ANY_WORDS, stdinText } from "../programs/starts/stdin-words.ts";
import { joinedLines, programName, runFrom, statementsOf, wordsOf } from "../shell/command-text.ts";
import { type FoundCommand, isUnknown, type Place, pathOf } from "./found-command.ts";
import { startedBy, startingSubcommand } from "./started-commands.ts";
import { givesInputToShell, runsItsInput } from "./stdin-programs.ts";
import { commandViews, readingsFrom } from "./text-views.ts";

/** All commands that a command line may run, as far as they can be found. */
export type Collected = {
  commands: FoundCommand[];
  /** Possible commands: words behind programs with unknown options, and texts in other languages. */
  guesses: string[][];
  /** The words were read by the grammar; otherwise by text, which finds too much rather than too little. */
  byGrammar: boolean;
  /** How many commands the grammar found in the text itself; absent: it was not read by it. */
  written?: number;
  problem?: string;
};

/** What another program prints is run. */
export const UNKNOWN_SCRIPT = "runs a script that is known only when it runs";
const tooMuch = "may run more commands than can be checked";
const MAX_DEPTH = 8;
const MAX_COMMANDS = 400;
const MAX_GUESSES = 2000;
/** Words of found commands and of guesses: each is looked at many times. */
const MAX_WORDS = 8000;
const MAX_GUESSED_WORDS = 60_000;
/** For all texts of one command together; a longer time would block everything else in the process. */
const MAX_READING_MS = 150;
/** Options and a name may stand between `coproc` or `time` and the command. */
const MAX_STARTS = 8;

/**
 * Keywords that may stand before a command, including those that the grammar reads as words behind `time` and `coproc`.
 */
const keywords: ReadonlySet<string> = new Set(
  "if while until elif then do else ! time coproc { ( for case select function".split(" "),
);

export function collectCommands(command: string, place: Place, grammar?: ShellGrammar): Collected {
  const time: ReadingTime = { leftMs: MAX_READING_MS };
  const reading = grammar?.read(command, time);
  if (!reading) return textCollection(command, place);
  const collector = new Collector(place, (text) => grammar?.read(text, time));
  collector.add(reading);
  collector.follow();
  const { commands, guesses, problem } = collector;
  const written = reading.commands.length;
  if (problem === undefined) return bounded({ commands, guesses, byGrammar: true, written });
  // Where the grammar is unsure, the commands found by text count as well.
  const byText = textCollection(command, place);
  return bounded({
    commands: [...commands, ...byText.commands],
    guesses: [...guesses, ...byText.guesses],
    byGrammar: false,
    written,
    problem,
  });
}

class Collector {
  readonly commands: FoundCommand[] = [];
  readonly guesses: string[][] = [];
  problem: string | undefined;
  readonly #place: Place;
  readonly #read: (text: string) => ShellReading | undefined;
  readonly #depths = new Map<FoundCommand, number>();
  readonly #seen = new Set<string>();
  #cwd: string;
  /** The number of characters of nested texts that may still be read, which bounds the time. */
  #left = 40_000;
  #wordsLeft = MAX_WORDS;

  constructor(place: Place, read: (text: string) => ShellReading | undefined) {
    this.#place = place;
    this.#cwd = place.cwd;
    this.#read = read;
  }

  add(reading: ShellReading, from?: FoundCommand): void {
    if (reading.problem !== undefined) this.problem ??= reading.problem;
    for (const each of reading.commands) {
      this.#push(each, from);
      if (!from) this.#cwd = folderAfter(each, this.#cwd, this.#place);
    }
  }

  #push(command: ShellCommand, from?: FoundCommand): void {
    this.#wordsLeft -= command.words.length;
    if (this.commands.length >= MAX_COMMANDS || this.#wordsLeft < 0) {
      this.problem ??= tooMuch;
      return;
    }
    const found: FoundCommand = {
      ...command,
      nested: command.nested || (from?.nested ?? false),
      piped: command.piped || (from?.piped ?? false),
      cwd: from?.cwd ?? this.#cwd,
      behind: from !== undefined,
    };
    this.#depths.set(found, from ? (this.#depths.get(from) ?? 0) + 1 : 0);
    this.commands.push(found);
  }

  /** The list grows while it is walked: commands that found commands start are added. */
  follow(): void {
    for (let at = 0; at < this.commands.length; at += 1) {
      const command = this.commands[at];
      if (!command) continue;
      this.#followOne(command);
      if (runsItsInput(command)) this.#readInput(command);
    }
  }

  /** A program runs the output of another one, which is known only for `echo` and the like. */
  #readInput(command: FoundCommand): void {
    const text = stdinText(command);
    const program = programName(command.words[0]?.text ?? "");
    if (text === undefined) this.problem ??= UNKNOWN_SCRIPT;
    else if (givesInputToShell(program)) this.#text(text, command);
    else this.guesses.push(...commandViews(programOf(program).editor ? editorText(text) : text));
  }
  #followOne(command: FoundCommand): void {
    const first = command.words[0];
    if (first && !first.literal && isUnclear(first.text))
      this.problem ??= "starts a program that is known only when it runs";
    if ((this.#depths.get(command) ?? 0) > MAX_DEPTH) {
      this.problem ??= "is nested too deeply";
      return;
    }
    this.#behindKeywords(command);
    const started = startedBy(command);
    if (started.problem !== undefined) this.problem ??= started.problem;
    for (const words of started.commands) this.#words(words, command);
    for (const words of started.maybe) this.guesses.push(...readingsFrom(words.map(({ text }) => text)));
    for (const text of started.texts) this.#text(text, command);
    for (const text of started.code) {
      const code = text.slice(0, 10_000);
      this.guesses.push(...commandViews(code), ...commandViews(withoutLists(code)));
    }
    for (const text of hiddenTexts(command)) this.#text(text, command);
  }

  #behindKeywords(command: FoundCommand): void {
    const start = command.words.findIndex(({ text }) => !keywords.has(text));
    if (start > 0) this.#words(command.words.slice(start), command);
    if (command.words[0]?.text !== "coproc" && command.words[0]?.text !== "time") return;
    // `coproc NAME {`, `time -p`: the command is somewhere behind.
    for (let at = Math.max(start, 0) + 1; at < Math.min(command.words.length, MAX_STARTS); at += 1)
      this.#words(command.words.slice(at), command);
  }

  #words(words: ShellWord[], from: FoundCommand): void {
    if (words.length === 0) return;
    const key = `${from.cwd}\n${words.map(({ text }) => text).join("\n")}`;
    if (this.#seen.has(key)) return;
    this.#seen.add(key);
    const { piped, nested, inputFrom } = from;
    // It has the input of what starts it.
    const redirects = from.redirects.filter(({ operator }) => operator.includes("<<"));
    this.#push({ words, assignments: [], redirects, piped, nested, ...(inputFrom && { inputFrom }) }, from);
  }

  #text(text: string, from: FoundCommand): void {
    if (this.#seen.has(text)) return;
    this.#seen.add(text);
    this.#left -= text.length;
    if (this.#left < 0) {
      this.problem ??= tooMuch;
      return;
    }
    const reading = this.#read(text);
    if (reading) {
      this.add(reading, from);
      return;
    }
    this.problem ??= "runs text that could not be read";
    this.guesses.push(...commandViews(text));
  }
}

/** Not a name of a program: a run may put anything there. `~/bin/x` and the sign of a function such as `}` are. */
function isUnclear(text: string): boolean {
  return isUnknown(text) || /[*?[]|\{.*[,.].*\}/.test(text);
}

const evaluating: ReadonlySet<string> = new Set(
  "test let declare typeset local export readonly unset printf read mapfile readarray wait getopts".split(" "),
);

/**
 * Quoted text that arithmetic works out all the same, as in `[[ 'a[$(rm x)]' -eq 0 ]]`: an index is evaluated wherever a
 * number is expected, also by way of a variable.
 */
function hiddenTexts({ words, assignments, redirects }: FoundCommand): string[] {
  const program = words[0]?.text ?? "";
  const evaluated = evaluating.has(program) || words.length === 0 ? words.map(({ text }) => text) : [];
  return [...evaluated, ...assignments, ...(words.length === 0 ? redirects.map(({ target }) => target.text) : [])]
    .filter((text) => /\[[\s\S]*(?:\$\(|`)/.test(text))
    .map((text) => `: ${text.slice(text.search(/\$\(|`/)).replace(/\][^\])`]*$/, "")}`);
}

/** Words of a command as other languages list them: `run(["rm", "-rf", x])` has `rm -rf x`. */
export function withoutLists(code: string): string {
  return code.replace(/["']\s*,\s*\[?\s*["']/g, " ").replace(/\[\s*(?=["'])|(?<=["'])\s*\]/g, ";");
}

/** The folder in which the following commands run. */
function folderAfter(command: ShellCommand, cwd: string, place: Place): string {
  const [program, ...rest] = command.words;
  if (command.nested || !program || !/^(?:cd|pushd)$/.test(program.text)) return cwd;
  const target = rest.find(({ text }) => !text.startsWith("-"));
  if (!target) return rest.length === 0 && place.home !== undefined ? place.home : cwd;
  return isUnknown(target.text) ? cwd : pathOf(target.text, cwd, place);
}

/** By the text alone: everything that looks like a command, whatever it stands in. */
function textCollection(command: string, place: Place): Collected {
  const commands: FoundCommand[] = [];
  const guesses = commandViews(command);
  let cwd = place.cwd;
  // Editors run the commands behind a `!`.
  if (command.includes("!")) guesses.push(...commandViews(command.replaceAll("!", "\n")));
  for (const words of statementsOf(command)) {
    const spoken = words.map((word): ShellWord => ({ text: word, literal: !/[*?[\]{}~$]/.test(word) }));
    const found = { words: spoken, assignments: [], redirects: [], piped: false, nested: false, cwd, behind: false };
    commands.push(found);
    cwd = folderAfter(found, cwd, place);
    guesses.push(...byInput(words));
    if (!mayStartOthers(words)) continue;
    words.forEach((word, at) => {
      const rest = runFrom(words, at).slice(1);
      guesses.push(...readingsFrom([word, ...rest]), ...readingsFrom([word.replace(/^[^=]*=!?/, ""), ...rest]));
    });
  }
  for (const folder of new Set([place.cwd, cwd])) commands.push(...redirected(command, folder));
  return bounded({ commands, guesses, byGrammar: false });
}

/** All redirections in the text, whatever command they belong to. */
function redirected(command: string, cwd: string): FoundCommand[] {
  const redirects = redirectTargets(command).map((text) => ({ operator: ">", target: { text, literal: false } }));
  if (redirects.length === 0) return [];
  return [{ words: [], assignments: [], redirects, piped: false, nested: false, cwd, behind: false }];
}

/** Behind programs that make commands of their input, any words may follow. */
function byInput(words: readonly string[]): string[][] {
  const start = words.findIndex((word) => programOf(programName(word)).starts === "input");
  if (start < 0) return [];
  const rest = words.slice(start + 1, start + 20);
  // Placeholders for input are not known here.
  return rest.flatMap((word, at) => [
    ...readingsFrom([...rest.slice(at), ANY_WORDS.text]),
    ...readingsFrom([word, ANY_WORDS.text]),
  ]);
}

/** By the text alone: also those in quotes. */
export function redirectTargets(command: string): string[] {
  return [...joinedLines(command).matchAll(/>{1,2}\|?\s*("[^"]+"|'[^']+'|[^\s;&|<>]+)/g)].flatMap((match) =>
    wordsOf(match[1] ?? ""),
  );
}

function bounded(collected: Collected): Collected {
  let left = MAX_GUESSED_WORDS;
  const least = collected.guesses.findIndex((words) => {
    left -= words.length;
    return left < 0;
  });
  const most = Math.min(MAX_GUESSES, least < 0 ? MAX_GUESSES : least);
  if (collected.guesses.length <= most && collected.commands.length <= MAX_GUESSES) return collected;
  const problem = collected.problem ?? tooMuch;
  const [commands, guesses] = [collected.commands.slice(0, MAX_GUESSES), collected.guesses.slice(0, most)];
  return { ...collected, commands, guesses, byGrammar: false, problem };
}

/** Programs that the reading by text does not know as wrappers. */
function mayStartOthers(words: readonly string[]): boolean {
  if (words.some((word) => commandVariables.test(word))) return true;
  const start = words.findIndex((word) => !keywords.has(word) && !/^\w+\+?=/.test(word));
  const [program = "", ...rest] = words.slice(Math.max(start, 0));
  const name = programName(program);
  const row = programOf(name);
  if (row.starts === "anywhere" || row.starts === "input" || row.takesText) return true;
  if (name === "git") return rest.some((word) => /^(?:-c.*|submodule|bisect|rebase|filter-branch)$/.test(word));
  return startingSubcommand(row, rest) !== undefined;
}
