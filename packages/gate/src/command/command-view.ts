import type { Effect } from "@harness/protocol";
import { commandDenies, commandMayDeny } from "../findings/command-denies.ts";
import { type CommandFindings, findInCommand } from "../findings/find-in-command.ts";
import type { SecretWord } from "../findings/secret-words.ts";
import { resolvePath } from "../places/path-place.ts";
import type { GitAliases, KnownRepositories } from "../ports/repositories.ts";
import type { ShellCommand, ShellGrammar, ShellReading } from "../ports/shell-grammar.ts";
import { wordOfSettings } from "../programs/git/aliases.ts";
import { opensFolders, readByTable } from "../programs/programs.ts";
import type { CheckedCommand, CheckedLine } from "../shell/checked-line.ts";
import type { CommandStart } from "../shell/command-start.ts";
import { isSimpleCommand, joinedLines } from "../shell/command-text.ts";
import { exitStatus, readStrictLine } from "../shell/strict-line.ts";
import { foldersOfLine, judgeLine, type LineOptions, literalFolder, readOnlyVerdict } from "./read-only-verdict.ts";
import { dependsOnProcess, type ReadReach, readReach } from "./read-reach.ts";
import { type OwnPrefixes, safeCommandVerdict } from "./safe-command.ts";

/** A path that a command reads, and its target. */
type ReadPath = { path: string; realPath: string };

/** Everything known about a command before it runs. */
export type CommandView = {
  /** The strict reading, if the command is plain enough. */
  line?: CheckedLine;
  /** The paths that it reads if it counts as safe; absent: it may do more. */
  reads?: readonly ReadPath[];
  /** Folders and files below which the command reads files that are only known when it runs. */
  openReads: readonly string[];
  /** Absolute glob patterns of the files that it reads. */
  openPatterns: readonly string[];
  /** True if it provably only reads; false if only the user's settings call it safe. */
  onlyReads: boolean;
  /** For each command of `line`: whether it opens no files and only prints or passes on, like `| tail`. */
  passesOn: readonly boolean[];
  /** For each command of `line`: whether it is a `cd` to the folder that the line is already in. */
  stays: readonly boolean[];
  findings: CommandFindings;
  /** Why rules cannot cover it reliably: it is too long, too much, or not understood. */
  problem?: string;
  /** As far as the arguments show, both as written and with links resolved. */
  readPaths: readonly string[];
  writePaths: readonly string[];
  /** Everything that it may read according to its words, for rules that hide files. Absent: there are none. */
  mayRead?: ReadReach;
  /** Folders in which it writes files that its arguments do not name. */
  openWrites: readonly string[];
  /** Words that name secret places, in any spelling. Empty if it provably only reads: `reads` contains them then. */
  secrets: readonly string[];
  /** True if anything in it begins with these words. */
  starts(start: CommandStart): boolean;
  /** True if a word known only at run time could make something in it begin with them. */
  mayStart(start: CommandStart): boolean;
};

export type CommandViewOptions = {
  /** Real paths. */
  roots: readonly string[];
  /** Command prefixes that the user calls harmless, in addition to commands that only read; null: there are none. */
  prefixes: OwnPrefixes;
  grammar?: ShellGrammar;
  /** Absent: the text is read again. */
  readings?: CommandReadings;
  /** The home folder that `~` stands for; absent: unknown. */
  home?: string;
  /** True if rules hide files. */
  hidesFiles?: boolean;
  real(path: string): string;
  /** True if a file or folder has this name. Absent: unknown. */
  exists?(path: string): boolean;
  /** Git's view of words. Absent: git is not asked. */
  git?: KnownRepositories;
};

const MAX_COMMANDS = 30;
const tooMany = `has more than ${MAX_COMMANDS} commands`;

/**
 * The part of the view that depends only on the text and on the `aliases` that git gave. `isFinal`: the grammar has read it or
 * is not needed.
 */
type CommandReading = Pick<CommandView, "line" | "findings" | "problem"> & {
  aliases: ReadonlyMap<string, GitAliases | undefined>;
  isFinal: boolean;
  read?: ReadReach;
};

/** A call is evaluated again before it runs and while it waits for an answer; its text is only read once. */
export type CommandReadings = WeakMap<Effect, { of: string; reading: CommandReading }>;

/**
 * Pure except for what `place` answers; `effect.cwd` is a real path. `origin`: the effect object of the call itself,
 * the same for each evaluation, which is the key of `place.readings`.
 */
export function viewCommand(
  effect: Effect & { kind: "run" },
  options: CommandViewOptions,
  origin: Effect = effect,
): CommandView {
  const { command, cwd } = effect;
  const { roots, prefixes, real, home, exists, git } = options;
  const of = JSON.stringify([command, cwd, roots, home, effect.sent]);
  const known = options.readings?.get(origin);
  const reading =
    known?.of === of && isAnsweredAlike(known.reading, git) ? known.reading : readCommand(effect, options);
  if (reading.isFinal) options.readings?.set(origin, { of, reading });
  const { line, findings, problem } = reading;
  const start: LineOptions = { cwd, enter: real, ...(exists ? { exists } : {}), ...(git ? { git } : {}) };
  // Sent text runs in a process that already exists, whatever its command looks like.
  const reads = line && !effect.sent ? readsOf(line, prefixes, start, real) : undefined;
  const onlyReads = reads !== undefined && line !== undefined && isReader(line, start, prefixes);
  const isThere = ({ path }: SecretWord) => path === undefined || !exists || exists(path);
  const mayPassOn = line && (!reads || findings.secrets.length > 0);
  return {
    ...(line ? { line } : {}),
    ...(reads ? { reads } : {}),
    openReads: reads && line?.commands.some(opensFolders) ? openPlaces(reads) : [],
    openPatterns: reads && line ? patternsRead(line, start) : [],
    onlyReads,
    passesOn: mayPassOn ? line.commands.map((each) => opensNothing(each, prefixes, cwd)) : [],
    stays: line && !reads ? staysHere(line, start) : [],
    findings,
    ...(problem === undefined ? {} : { problem }),
    readPaths: withReal([...findings.reads, ...(reads ?? []).map(({ path }) => path)], real),
    writePaths: withReal(findings.writes, real),
    ...(options.hidesFiles
      ? {
          mayRead: onlyReads ? unsureOf(reads) : mayRead(reading, cwd, options),
        }
      : {}),
    openWrites: withReal(findings.openWrites, real),
    secrets: onlyReads ? [] : findings.secrets.filter(isThere).map(({ word }) => word),
    starts: (start) => startsWith(command, start, findings),
    mayStart: ({ argv }) => commandMayDeny(argv, findings),
  };
}

function isAnsweredAlike({ aliases }: CommandReading, git: KnownRepositories | undefined): boolean {
  return [...aliases].every(([folder, answer]) => JSON.stringify(git?.aliases(folder)) === JSON.stringify(answer));
}

/** A command that provably only reads names what it reads, but some paths mean something different in each process. */
function unsureOf(reads: readonly ReadPath[]): ReadReach {
  const isUnsure = reads.some(({ path }) => dependsOnProcess(path));
  return { names: [], maybe: [], patterns: [], open: isUnsure ? ["/"] : [] };
}

/** The glob patterns of files that a line reads, also with links in their leading folders resolved. */
function patternsRead({ commands, joins }: CheckedLine, options: LineOptions): string[] {
  const folders = foldersOfLine({ commands, joins }, options);
  return commands.flatMap((command, at) => {
    const reading = opensFolders(command) === undefined ? readByTable(command) : undefined;
    const words = reading && "paths" in reading ? reading.paths.filter(({ glob }) => glob) : [];
    return words.flatMap(({ text }) => (folders[at] ?? []).flatMap((folder) => patternPlaces(text, folder, options)));
  });
}

function patternPlaces(pattern: string, folder: string, { enter = (path) => path }: LineOptions): string[] {
  const start = literalFolder(pattern);
  const rest = pattern.slice(start === "." ? 0 : start.length);
  return [resolvePath(folder, pattern), `${enter(resolvePath(folder, start))}/${rest}`];
}

function mayRead(reading: CommandReading, cwd: string, { roots, home, real }: CommandViewOptions): ReadReach {
  reading.read ??= readReach(reading.findings.commands, { cwd, roots, ...(home === undefined ? {} : { home }) });
  const { names, maybe, patterns, open } = reading.read;
  return { names: withReal(names, real), maybe: withReal(maybe, real), patterns, open: withReal(open, real) };
}

function readCommand(
  { command, cwd, sent }: Effect & { kind: "run" },
  { roots, home, ...place }: CommandViewOptions,
): CommandReading {
  const strict = readStrictLine(command);
  const line = "outside" in strict ? undefined : strict;
  const grammar = grammarWith(command, line, place.grammar);
  const aliases = new Map<string, GitAliases | undefined>();
  const aliasesIn = (folder: string) => {
    const answer = place.git?.aliases(folder);
    aliases.set(folder, answer);
    return answer;
  };
  const known = { ...(home === undefined ? {} : { home }), ...(place.git ? { aliases: aliasesIn } : {}) };
  const findings = findInCommand(command, { cwd, roots, ...known }, grammar, sent);
  const { written = 0, problem = written > MAX_COMMANDS ? tooMany : undefined } = findings;
  const isReadByGrammar = line && !sent ? place.grammar?.read(command) !== undefined : findings.written !== undefined;
  const isFinal = (line && !sent && !mayStartOther(line)) || isReadByGrammar;
  return { ...(line ? { line } : {}), findings, ...(problem === undefined ? {} : { problem }), aliases, isFinal };
}

/** True if the grammar must be loaded before the command is evaluated. A complete strict reading does not need it. */
export function wantsGrammar({ command, sent }: Effect & { kind: "run" }): boolean {
  if (sent) return true;
  const strict = readStrictLine(command);
  return "outside" in strict || mayStartOther(strict);
}

/** A word with blanks or shell characters may be a command for another program to run; so may a git alias. */
function mayStartOther({ commands }: CheckedLine): boolean {
  return commands.some(({ program, args }) => {
    const words = args.map(({ text }) => text);
    return words.some((text) => /[\s;&|<>]/.test(text)) || (program === "git" && wordOfSettings(words) !== undefined);
  });
}

function readsOf(
  line: CheckedLine,
  prefixes: OwnPrefixes,
  options: LineOptions,
  real: (path: string) => string,
): ReadPath[] | undefined {
  const verdict = safeCommandVerdict(line, prefixes, options);
  if ("reason" in verdict) return undefined;
  return [options.cwd, ...verdict.paths].map((path) => ({ path, realPath: real(path) }));
}

/** The folder that the line starts in comes first: it only counts if nothing else is named. */
function openPlaces([start, ...named]: readonly ReadPath[]): string[] {
  const places = named.length > 0 || !start ? named : [start];
  return places.map(({ realPath }) => realPath);
}

function isReader(line: CheckedLine, options: LineOptions, prefixes: OwnPrefixes): boolean {
  return prefixes === null || !("reason" in readOnlyVerdict(line, options));
}

/**
 * Next to a command that a rule allows, the line runs as text: a command that opens files could open different ones by
 * then. After a `cd` the rest of the line means something else, and git reads repository settings that run programs.
 */
function opensNothing(command: CheckedCommand, prefixes: OwnPrefixes, cwd: string): boolean {
  if (command.program === "cd" || command.program === "git") return false;
  const verdict = safeCommandVerdict({ commands: [command], joins: [] }, prefixes, { cwd });
  return "paths" in verdict && verdict.paths.length === 0;
}

/** Agents often begin with a `cd` to the session's own folder; after any other `cd` the line means something else. */
function staysHere(line: CheckedLine, options: LineOptions): boolean[] {
  const verdict = judgeLine(line, options, () => undefined);
  const isHere =
    "paths" in verdict && foldersOfLine(line, options).every((all) => all.every((each) => each === options.cwd));
  return isHere ? line.commands.map(({ program }) => program === "cd") : [];
}

/** A line that was read strictly needs no grammar, but texts quoted in it may. */
function grammarWith(
  command: string,
  line: CheckedLine | undefined,
  grammar: ShellGrammar | undefined,
): ShellGrammar | undefined {
  if (!line) return grammar;
  const reading = readingOf(line);
  return {
    load: async () => undefined,
    read: (text, time) => (text === command ? reading : grammar?.read(text, time)),
  };
}

function readingOf({ commands, joins }: CheckedLine): ShellReading {
  const spoken = commands.map(({ program, args }) => [
    { text: program, literal: true },
    ...args.map(({ text, glob }) => ({
      text: text.replaceAll(exitStatus, "$?"),
      literal: !glob && !text.includes(exitStatus),
    })),
  ]);
  return {
    commands: commands.map(({ env, input }, index): ShellCommand => {
      const inputFrom = index > 0 && joins[index - 1] === "|" ? spoken[index - 1] : undefined;
      return {
        words: spoken[index] ?? [],
        assignments: env.map(([name, value]) => `${name}=${value}`),
        // Other redirections of the strict reading only lead to other streams.
        redirects: input === undefined ? [] : [{ operator: "<", target: { text: input, literal: true } }],
        piped: inputFrom !== undefined,
        ...(inputFrom && { inputFrom }),
        nested: false,
      };
    }),
  };
}

function withReal(paths: readonly string[], real: (path: string) => string): string[] {
  return [...new Set(paths.flatMap((path) => [path, real(path)]))];
}

/**
 * A rule that is not a plain command prefix is searched for as text. A value may directly follow a variable or an
 * option: `NAME` is found in `NAME=x cmd`.
 */
function startsWith(command: string, { argv, raw, rest }: CommandStart, findings: CommandFindings): boolean {
  const text = command.trim();
  if (rest === "none" && findings.problem === undefined) {
    return findings.views.some((words) => words.length === argv.length && argv.every((word, at) => words[at] === word));
  }
  if (raw !== undefined) {
    if (text.startsWith(raw) && /^(?:$|[\s=])/.test(text.slice(raw.length))) return true;
    if (!isSimpleCommand(raw)) return [command, joinedLines(command)].some((each) => each.includes(raw));
  }
  return commandDenies(command, argv, findings);
}
