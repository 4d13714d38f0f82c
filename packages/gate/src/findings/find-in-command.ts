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
  /** Every command that it may run, as words, the program by its own name; also behind wrappers. */
  views: string[][];
  /**
   * Further possible commands: words behind unknown options, texts in other languages. Too many rather than too few.
   */
  guesses: string[][];
  /** The same as they were found, with where they run. */
  commands: readonly FoundCommand[];
  /** The words of the texts that programs are given to run, in whatever language. */
  said: readonly (readonly string[])[];
  /** How many commands the text itself has; absent: the grammar has not read it. */
  written?: number;
  /** Its words are a shell's, read by a grammar that was sure of all of it. */
  exact: boolean;
  /** Absolute paths, from redirections and the operands of programs that are known to write, as written: no links resolved. */
  writes: string[];
  reads: string[];
  /** Folders in which it writes files that its words do not name: by patterns, variables, archives, patches. */
  openWrites: string[];
  hosts: string[];
  secrets: SecretWord[];
  danger?: Danger;
  /** It removes or overwrites: a checkpoint is wanted before. */
  destructive: boolean;
  /** All its commands only look, as far as their words show. This is for display, never a reason to allow it. */
  looks: boolean;
  /** Why the commands that it runs are uncertain, as the end of a sentence about the command. */
  problem?: string;
  notes: PermissionNote[];
  /** One per command, or none at all. */
  proposals: Proposal[];
};

/**
 * Never throws; the time is bounded by the length that is looked at. `sent`: nothing is started, and a running command
 * is sent a text instead.
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
  const files = found.commands.map((each) => fileReach(each, location, values));
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
