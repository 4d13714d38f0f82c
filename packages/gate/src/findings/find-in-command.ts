import type { PermissionNote } from "@harness/protocol";
import type { ShellGrammar } from "../ports/shell-grammar.ts";
import { programOf } from "../programs/programs.ts";
import { collectCommands } from "./collect-commands.ts";
import { type Danger, dangerOf } from "./danger.ts";
import { collectVariables, fileReach } from "./file-reach.ts";
import { notesFor } from "./findings-notes.ts";
import {
  type CommandLocation,
  type FoundCommand,
  type FoundCommands,
  MAX_CHARACTERS,
  normalizedWords,
} from "./found-command.ts";
import { lookAlikes } from "./look-alikes.ts";
import { networkReach } from "./network-reach.ts";
import { onlyLooks, type Proposal, proposalsFor } from "./proposals.ts";
import { type SecretWord, secretWords } from "./secret-words.ts";
import type { SentInput } from "./sent-input.ts";
import { textsGiven, wordsSaid } from "./text-views.ts";

/** Everything found in a command before it runs. It only ever makes the gate stricter, and is shown to people. */
export type CommandFindings = {
  /** Every command that it may run, as words, with the program's base name; including commands behind wrappers. */
  views: string[][];
  /**
   * Further possible commands, such as words after unknown options or texts in other languages. Rather too many than
   * too few.
   */
  guesses: string[][];
  /** The same as found, with the folders they run in. */
  commands: readonly FoundCommand[];
  /** The words of texts that programs are given to run, in any language. */
  said: readonly (readonly string[])[];
  /** The number of commands in the text itself; absent: the grammar did not read it. */
  written?: number;
  /** True if it is shell and a grammar was sure of all of it. */
  exact: boolean;
  /** Absolute paths from redirections and from the operands of programs known to write, with links not resolved. */
  writes: string[];
  reads: string[];
  /** Folders in which it writes files that its words do not name: through patterns, variables, archives or patches. */
  openWrites: string[];
  hosts: string[];
  secrets: SecretWord[];
  danger?: Danger;
  /** True if it removes or overwrites files, so that a checkpoint is wanted first. */
  destructive: boolean;
  /** True if, judging by the words, all its commands only read. For display, never a reason to allow it. */
  looks: boolean;
  /** Why it is uncertain which commands run, as the end of a sentence about the command. */
  problem?: string;
  notes: PermissionNote[];
  /** One per command, or none at all. */
  proposals: Proposal[];
};

/**
 * Never throws; limits the length that it examines, and so the time. `sent`: starts nothing; the text goes to a running
 * command.
 */
export function findInCommand(
  command: string,
  location: CommandLocation,
  grammar?: ShellGrammar,
  sent?: SentInput,
): CommandFindings {
  const whole = sent ? `${sent.to}\n${sent.before ?? ""}${sent.text}` : command;
  const text = whole.slice(0, MAX_CHARACTERS);
  const collected = collectCommands(sent ? sent.to.slice(0, MAX_CHARACTERS) : text, location, grammar, sent);
  const tooLong = whole.length > MAX_CHARACTERS ? "is longer than 10,000 characters" : undefined;
  const problem = tooLong ?? collected.problem;
  const found: FoundCommands = problem === undefined ? collected : { ...collected, byGrammar: false, problem };
  const values = collectVariables(found.commands);
  const files = found.commands.map((each) => withoutSinks(fileReach(each, location, values)));
  const removes = unique(files.flatMap((each) => each.removes));
  const network = found.commands.map(networkReach);
  const reach = {
    reads: unique(files.flatMap(({ reads }) => reads)),
    writes: unique(files.flatMap(({ writes }) => writes)),
    openWrites: unique(files.flatMap(({ open }) => open)),
    hosts: unique(network.flatMap(({ hosts }) => hosts)),
  };
  const views = uniqueViews(found.commands.map(normalizedWords).filter((words) => words[0] !== ""));
  const risky = network.find(({ danger }) => danger !== undefined)?.danger;
  const danger = dangerOf(text, found, location, {
    writes: reach.writes,
    replaces: files.flatMap(({ replaces }) => replaces),
    network: risky,
  });
  return {
    views,
    guesses: uniqueViews(found.guesses),
    commands: found.commands,
    said: found.commands.flatMap(textsGiven).map(wordsSaid),
    exact: found.byGrammar,
    ...(found.written !== undefined && { written: found.written }),
    ...reach,
    secrets: secretWords(found, location),
    ...(danger && { danger }),
    looks: problem === undefined && found.byGrammar && found.commands.every(onlyLooks),
    destructive: [...views, ...found.guesses].some(isDestructive),
    ...(problem !== undefined && { problem }),
    notes: [
      ...lookAlikes(text, views, reach.hosts),
      ...notesFor(found, location, { ...reach, removes }, danger?.reason),
    ],
    proposals: danger === undefined ? proposalsFor(found, location) : [],
  };
}

/** Writing to one of these has no effect; removing or replacing it does. */
const sinks = ["/dev/null", "/dev/stdout", "/dev/stderr"];

function withoutSinks(files: ReturnType<typeof fileReach>): ReturnType<typeof fileReach> {
  const { reads, writes, replaces, removes } = files;
  const isEffect = (path: string) => !sinks.includes(path) || replaces.includes(path) || removes.includes(path);
  return { ...files, reads: reads.filter(isEffect), writes: writes.filter(isEffect) };
}

function isDestructive([program = "", ...args]: readonly string[]): boolean {
  const { destructive } = programOf(program);
  return typeof destructive === "function" ? destructive(args) : destructive === true;
}

function unique(each: readonly string[]): string[] {
  return [...new Set(each)];
}

function uniqueViews(views: readonly string[][]): string[][] {
  return [...new Map(views.map((words) => [words.join("\u0000"), words])).values()];
}
