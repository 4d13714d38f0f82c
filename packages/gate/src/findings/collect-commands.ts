import type { ReadingTime, ShellCommand, ShellGrammar, ShellReading, ShellWord } from "../ports/shell-grammar.ts";
import { programOf } from "../programs/programs.ts";
import { editorText } from "../programs/starts/editor-text.ts";
import { stdinText } from "../programs/starts/stdin-words.ts";
import { programName } from "../shell/command-text.ts";
import {
  bounded,
  type CommandLocation,
  dependsOnRun,
  type FoundCommand,
  type FoundCommands,
  folderAfter,
  tooMuch,
} from "./found-command.ts";
import { readSent, type SentInput } from "./sent-input.ts";
import { startedBy } from "./started-commands.ts";
import { givesInputToShell, runsItsInput } from "./stdin-programs.ts";
import { leadingKeywords, textCollection } from "./text-collection.ts";
import { commandViews, readingsFrom, withoutLists } from "./text-views.ts";

/** For commands that run another program's output. */
export const UNKNOWN_SCRIPT = "runs a script that is known only when it runs";
const MAX_DEPTH = 8;
const MAX_COMMANDS = 400;
/** Limits the words of all found commands, because each is examined many times. */
const MAX_WORDS = 8000;
/** For all texts of one command together; more would block the whole process. */
const MAX_READING_MS = 150;
/** Options and a name may come between `coproc` or `time` and the command. */
const MAX_STARTS = 8;

/** `sent`: text sent to the running `command`, which may execute it. */
export function collectCommands(
  command: string,
  location: CommandLocation,
  grammar?: ShellGrammar,
  sent?: SentInput,
): FoundCommands {
  const time: ReadingTime = { leftMs: MAX_READING_MS };
  const reading = grammar?.read(command, time);
  if (!reading) return sent ? sentCollection(command, location, sent) : textCollection(command, location);
  const collector = new Collector(location, (text) => grammar?.read(text, time));
  collector.add(reading);
  collector.follow();
  if (sent) collector.send(sent);
  const { commands, guesses, problem, runsSent } = collector;
  const written = reading.commands.length;
  if (problem === undefined) return bounded({ commands, guesses, byGrammar: true, written, runsSent });
  // If the grammar is unsure, the commands found by text count as well.
  const byText = textCollection(sent ? inOne(command, sent) : command, location);
  return bounded({
    commands: [...commands, ...byText.commands],
    guesses: [...guesses, ...byText.guesses],
    byGrammar: false,
    written,
    runsSent,
    problem,
  });
}

/** Read by text alone, without the grammar. */
function sentCollection(command: string, location: CommandLocation, sent: SentInput): FoundCommands {
  const found = textCollection(inOne(command, sent), location);
  return { ...found, runsSent: true, problem: "sends a program text that could not be read" };
}

function inOne(command: string, { before = "", text }: SentInput): string {
  return `${command}\n${before}${text}`;
}

class Collector {
  readonly commands: FoundCommand[] = [];
  readonly guesses: string[][] = [];
  problem: string | undefined;
  readonly #location: CommandLocation;
  readonly #read: (text: string) => ShellReading | undefined;
  readonly #depths = new Map<FoundCommand, number>();
  readonly #seen = new Set<string>();
  /** Commands that start others; those others are the ones that read the input. */
  readonly #starters = new Set<FoundCommand>();
  #followed = 0;
  runsSent = false;
  #cwd: string;
  /** The number of characters of nested texts that may still be read, to limit the time. */
  #left = 40_000;
  #wordsLeft = MAX_WORDS;

  constructor(location: CommandLocation, read: (text: string) => ShellReading | undefined) {
    this.#location = location;
    this.#cwd = location.cwd;
    this.#read = read;
  }

  add(reading: ShellReading, from?: FoundCommand): void {
    if (reading.problem !== undefined) this.problem ??= reading.problem;
    let cwd = from?.cwd ?? this.#cwd;
    for (const each of reading.commands) {
      this.#push(each, from, cwd);
      cwd = folderAfter(each, cwd, this.#location);
    }
    if (!from) this.#cwd = cwd;
  }

  #push(command: ShellCommand, from: FoundCommand | undefined, cwd: string): void {
    this.#wordsLeft -= command.words.length;
    if (this.commands.length >= MAX_COMMANDS || this.#wordsLeft < 0) {
      this.problem ??= tooMuch;
      return;
    }
    const found: FoundCommand = {
      ...command,
      nested: command.nested || (from?.nested ?? false),
      piped: command.piped || (from?.piped ?? false),
      cwd,
      behind: from !== undefined,
    };
    if (from) this.#starters.add(from);
    this.#depths.set(found, from ? (this.#depths.get(from) ?? 0) + 1 : 0);
    this.commands.push(found);
  }

  /** The list grows during the walk: commands that found commands start are appended. */
  follow(): void {
    for (; this.#followed < this.commands.length; this.#followed += 1) {
      const command = this.commands[this.#followed];
      if (!command) continue;
      this.#followOne(command);
      if (runsItsInput(command)) this.#readInput(command);
    }
  }

  /** After `follow`: any of the running commands may be the one that reads the input. */
  send(sent: SentInput): void {
    for (const receiver of [...this.commands]) {
      if (this.#starters.has(receiver)) continue;
      const reading = readSent(receiver, sent, this.#location, this.#read);
      if (!reading) continue;
      if (reading.problem !== undefined) this.problem ??= reading.problem;
      this.runsSent ||= reading.isScript;
      this.guesses.push(...reading.guesses);
      for (const text of reading.scripts) this.#text(text, { ...receiver, cwd: reading.cwd });
    }
    this.follow();
  }

  /** A program runs another's output, which can only be predicted for `echo` and the like. */
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
    const started = startedBy(command, this.#location);
    if (started.problem !== undefined) this.problem ??= started.problem;
    for (const words of started.commands) this.#words(words, command);
    for (const words of started.maybe) this.guesses.push(...readingsFrom(words.map(({ text }) => text)));
    for (const text of started.texts) this.#text(text, command);
    for (const text of started.code) {
      const code = text.slice(0, 10_000);
      this.guesses.push(...commandViews(code), ...commandViews(withoutLists(code)));
    }
  }

  #behindKeywords(command: FoundCommand): void {
    const start = command.words.findIndex(({ text }) => !leadingKeywords.has(text));
    if (start > 0) this.#words(command.words.slice(start), command);
    if (command.words[0]?.text !== "coproc" && command.words[0]?.text !== "time") return;
    // `coproc NAME {`, `time -p`: the command comes later in the words.
    for (let at = Math.max(start, 0) + 1; at < Math.min(command.words.length, MAX_STARTS); at += 1)
      this.#words(command.words.slice(at), command);
  }

  #words(words: ShellWord[], from: FoundCommand): void {
    if (words.length === 0) return;
    const key = `${from.cwd}\n${words.map(({ text }) => text).join("\n")}`;
    if (this.#seen.has(key)) return;
    this.#seen.add(key);
    const { piped, nested, inputFrom } = from;
    // It inherits the input of the command that starts it.
    const redirects = from.redirects.filter(({ operator }) => operator.includes("<<"));
    this.#push({ words, assignments: [], redirects, piped, nested, ...(inputFrom && { inputFrom }) }, from, from.cwd);
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

/** True if a run may put anything in place of the program's name. `~/bin/x` and a function's `}` are clear. */
function isUnclear(text: string): boolean {
  const braces = text.includes("{") ? text.slice(text.indexOf("{"), text.lastIndexOf("}") + 1) : "";
  return dependsOnRun(text) || /[*?[]/.test(text) || /[,.]/.test(braces);
}
