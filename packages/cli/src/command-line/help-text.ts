import { CliError, exitCodes } from "../process/exit-codes.ts";
import { wrapText } from "../text/text-table.ts";
import { closestName } from "./closest-name.ts";
import { examples } from "./examples.ts";
import { flagDoc, flagGroups, flagsOf, flagUsage } from "./flag-lines.ts";
import { overview } from "./overview.ts";
import { families, isSubcommand, type Subcommand, secondWords, subcommandRow, subcommands } from "./subcommand-rows.ts";

const WIDTH = 80;
const LEFT = 28;
const COMMAND_LEFT = 14;
/** Flags that most people need, for the overview. */
const COMMON = ["model", "continue", "resume", "cd", "permission-mode", "mode", "help", "version"] as const;

/**
 * True if there is a text about it. A topic is a subcommand, the first word of some, `flags` or `exit-codes`; an empty
 * one is the overview.
 */
export function isTopic(topic: readonly string[]): boolean {
  const name = topic.join(" ");
  return ["", "window", "flags", "exit-codes"].includes(name) || isSubcommand(name) || secondWords(name).length > 0;
}

/**
 * The text of `harness help` about a topic, for terminals of 80 columns, generated from the tables. Throws a `CliError`
 * if there is no such topic.
 */
export function helpText(topic: readonly string[] = []): string {
  const name = topic.join(" ");
  if (name === "" || name === "window") return lines(overviewLines());
  if (name === "flags") return lines(allFlags());
  if (name === "exit-codes") return lines(exitCodeLines());
  if (isSubcommand(name)) return lines(commandHelp(name));
  if (secondWords(name).length > 0) return lines(familyHelp(name));
  const known = [...Object.keys(subcommands), ...Object.keys(families), "flags", "exit-codes"];
  const meant = closestName(name, known);
  throw new CliError(
    "usage",
    `There is no help about "${name}".${meant ? ` Did you mean harness help ${meant}?` : " harness help lists the commands."}`,
  );
}

/** A line of the overview: a name, and its description. */
export function helpRow(name: string, doc: string): string[] {
  return row(name, doc, COMMAND_LEFT);
}

function lines(text: readonly string[]): string {
  return `${text.join("\n")}\n`;
}

function overviewLines(): string[] {
  return [
    "harness: a terminal coding agent for local and hosted models.",
    "",
    "Usage: harness [FLAGS] [PROMPT]",
    "       harness COMMAND [FLAGS] [ARGUMENTS]",
    ...exampleLines("window"),
    ...overview.flatMap(([title, commands]) => [
      "",
      `${title}:`,
      ...commands.flatMap(([name, summary]) => row(name, summary, COMMAND_LEFT)),
    ]),
    "",
    "Common flags:",
    ...COMMON.flatMap((name) => row(flagUsage(name), flagDoc(name))),
    "",
    ...wrapText(
      "More: harness COMMAND --help · harness help flags · harness help exit-codes · harness man · in the window /help. To send a message that begins with a command's name: harness -- WORDS.",
      WIDTH,
    ),
  ];
}

function commandHelp(name: Subcommand): string[] {
  const { usage, doc } = subcommandRow(name);
  const { own, shared } = flagsOf(name);
  const flagLines = (title: string, names: typeof own): string[] =>
    names.length === 0 ? [] : ["", title, ...names.flatMap((each) => row(flagUsage(each), flagDoc(each)))];
  return [
    `Usage: ${usage}${own.length > 0 ? " [FLAGS]" : ""}`,
    "",
    ...wrapText(doc, WIDTH),
    ...exampleLines(name),
    ...flagLines("Flags:", own),
    ...flagLines("Flags of every command:", shared),
    ...(name === "run" ? ["", ...exitCodeLines()] : []),
  ];
}

function familyHelp(word: string): string[] {
  const names = secondWords(word).map((second) => `${word} ${second}` as Subcommand);
  const all = `Usage: harness ${word} ${secondWords(word).join("|")}`;
  return [
    // Those of a long list follow by themselves.
    all.length <= WIDTH ? all : `Usage: harness ${word} COMMAND`,
    "",
    ...(families[word] === undefined ? [] : [families[word], ""]),
    ...names.flatMap((name) => row(subcommandRow(name).usage, subcommandRow(name).doc)),
    "",
    `More: harness ${names[0]} --help`,
  ];
}

function exampleLines(name: Subcommand): string[] {
  const known = examples[name];
  const column = Math.min(46, Math.max(...known.map(([line]) => line.length)) + 4);
  return ["", "Examples:", ...known.flatMap(([line, doc]) => (doc === "" ? [`  ${line}`] : row(line, doc, column)))];
}

function allFlags(): string[] {
  const groups = flagGroups().map(([title, names]) => [
    `${title}:`,
    ...names.flatMap((name) => row(flagUsage(name), flagDoc(name))),
  ]);
  return groups.flatMap((group, at) => (at === 0 ? group : ["", ...group]));
}

function exitCodeLines(): string[] {
  return ["Exit codes:", ...Object.values(exitCodes).flatMap(({ code, doc }) => row(String(code), doc, 7))];
}

/** Two columns; a left part that is too long gets its own line. */
function row(left: string, doc: string, column = LEFT): string[] {
  const [first = "", ...rest] = wrapText(doc, WIDTH - column);
  const indent = " ".repeat(column);
  const head = `  ${left}`;
  const top = head.length < column - 1 ? [head.padEnd(column) + first] : [head, indent + first];
  return [...top, ...rest.map((line) => indent + line)];
}
