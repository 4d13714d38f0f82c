import { existsSync, lstatSync } from "node:fs";
import { stat } from "node:fs/promises";
import { resolve } from "node:path";
import {
  builtinKind,
  type CheckedCommand,
  type CheckedLine,
  type CheckedWord,
  commandToRun,
  exitStatus,
  foldersOfLine,
  isSecret,
  isVersionQuestion,
  isWithin,
  pathsOfLine,
  readByTable,
} from "@harness/gate";
import { realPathIfThere, realPathOf, shellQuoted } from "@harness/host";
import { displayPath } from "../files/absolute-path.ts";
import { realPathNow } from "../files/judged-path.ts";
import { PathWatch } from "../files/path-watch.ts";
import { programOutside, quietEnvironment } from "./checked-command-environment.ts";
import { gitVariables } from "./checked-command-git.ts";
import { nameBudget, namesFor } from "./checked-command-names.ts";

type CheckedCommandOptions = {
  cwd: string;
  /** The folders of the workspace. */
  roots: readonly string[];
  env: Readonly<Record<string, string>>;
  /** Files that rules hide; absent: none. */
  hides?: (realPath: string) => boolean;
  /** Where the folders of the search path lead, as already resolved for `env`; absent: they are resolved. */
  real?: (path: string) => string;
};

type Problem = { problem: string };
/** `paths`: stop it after the command; the output is only shown if none of the paths was exchanged. */
type CheckedRun = { script: string; env: Record<string, string>; isPosix: boolean; paths: PathWatch };
type Here = CheckedCommandOptions & {
  /** The given search path. */
  fullPath: string;
  /** The variables for git, once a line needs them. */
  gitVariables?: ReturnType<typeof gitVariables>;
};

/** A script is one argument; Linux limits an argument to 128 KiB. */
const MAX_SCRIPT_BYTES = 120_000;

/**
 * Builds the command for a line that was allowed because it only reads: the parsed words, each quoted, with file names
 * instead of patterns and paths outside the workspace instead of program names. Paths are checked again here. `problem`
 * is for the model. Never throws.
 */
export async function checkedCommand(line: CheckedLine, options: CheckedCommandOptions): Promise<CheckedRun | Problem> {
  const roots = options.roots.map(realPathNow);
  const cwd = realPathNow(options.cwd);
  const env = quietEnvironment(options.env, roots, options.real ?? realPathNow);
  const { hides } = options;
  const here: Here = { cwd, roots, env, fullPath: options.env.PATH ?? "", ...(hides && { hides }) };
  const named = await withNames(line, here);
  if ("problem" in named) return named;
  const paths = await watchPaths(named, here);
  const checked = await checkedScript(named, here);
  if ("problem" in checked) paths.close();
  return "problem" in checked ? checked : { ...checked, paths };
}

/**
 * Watches the paths from before they are checked. A folder that is entered may already lead elsewhere, so its own name
 * is watched as well.
 */
function watchPaths(line: CheckedLine, { cwd, roots }: Here): Promise<PathWatch> {
  const paths = new Set([cwd]);
  const enter = (path: string) => {
    paths.add(path);
    return realPathNow(path);
  };
  const verdict = pathsOfLine(line, { cwd, enter, exists: existsSync });
  for (const path of "reason" in verdict ? [] : verdict.paths) paths.add(path).add(realPathNow(path));
  return PathWatch.begin(paths, roots);
}

async function checkedScript(named: CheckedLine, here: Here): Promise<Omit<CheckedRun, "paths"> | Problem> {
  const { cwd, env } = here;
  const stray = await pathProblem(named, here);
  if (stray !== undefined) return { problem: stray };
  const folders = foldersOfLine(named, { cwd, enter: realPathNow });
  const pieces: string[] = [];
  let isPosix = true;
  for (const [index, command] of named.commands.entries()) {
    const piece = await pieceOf(command, here, folders[index] ?? []);
    if ("problem" in piece) return piece;
    const join = named.joins[index];
    pieces.push(join === undefined ? piece.text : `${piece.text} ${join} `);
    // Shells report a missing file in different words.
    isPosix &&= piece.isPosix && command.input === undefined;
  }
  const script = pieces.join("");
  if (Buffer.byteLength(script) > MAX_SCRIPT_BYTES) return { problem: tooMany };
  // bash would set it, other shells do not.
  return { script, env: { ...env, PWD: cwd }, isPosix };
}

const tooMany = "The command matches too many files. Name fewer, or use the glob and grep tools.";

async function withNames(line: CheckedLine, here: Here): Promise<CheckedLine | Problem> {
  const folders = foldersOfLine(line, { cwd: here.cwd, enter: realPathNow });
  const budget = nameBudget();
  const commands: CheckedCommand[] = [];
  for (const [index, command] of line.commands.entries()) {
    const [folder, ...others] = folders[index] ?? [];
    const args: CheckedWord[] = [];
    for (const word of command.args) {
      // `--include=x.ts` is not meant as a file name, even if such a file exists.
      if (!word.glob || word.text.startsWith("-")) {
        args.push({ text: word.text, glob: false });
        continue;
      }
      if (folder === undefined || others.length > 0) {
        return { problem: `It is not known in which folder ${word.text} matches names. Write the folder with it.` };
      }
      const names = await namesFor(word.text, folder, here.roots, budget);
      if (!names) return { problem: tooMany };
      args.push(...names.map((text) => ({ text, glob: false })));
    }
    commands.push({ ...command, args });
  }
  return { commands, joins: line.joins };
}

/** Checks where the arguments lead now: a link may have been replaced since the approval. */
async function pathProblem(line: CheckedLine, { cwd, roots, hides }: Here): Promise<string | undefined> {
  const verdict = pathsOfLine(line, { cwd, enter: realPathNow, exists: existsSync });
  if ("reason" in verdict) return `The command was not run, as it may do more than read: ${verdict.reason}.`;
  for (const path of verdict.paths) {
    const realPath = realPathIfThere(path) ?? (await realPathOf(path));
    const shown = displayPath(path, cwd);
    if (!roots.some((root) => isWithin(realPath, root))) {
      return `${shown} leads out of the workspace (to ${realPath}), so the command was not run without asking.`;
    }
    if (isSecret(path) || isSecret(realPath)) {
      return `${shown} may hold secrets, so the command was not run. Name the files that you need, without it.`;
    }
    if (hides?.(realPath)) {
      return `A rule keeps ${shown} from being read, so the command was not run. Name the files that you need, without it.`;
    }
    const info = await stat(realPath).catch(() => undefined);
    if (info && !info.isFile() && !info.isDirectory()) {
      return `${shown} is not an ordinary file or folder, so the command was not run: reading it may never end.`;
    }
  }
  return undefined;
}

/** `isPosix`: any shell runs it as bash does, with the same output. */
type Piece = { text: string; isPosix: boolean };

/** The text of one command; `folders`: where it may run. */
async function pieceOf(command: CheckedCommand, here: Here, folders: readonly string[]): Promise<Piece | Problem> {
  const { program, env, input } = command;
  const redirects = [...command.redirects, ...(input === undefined ? [] : [`<${shellQuoted(input)}`])];
  const variables = env.map(([name, value]) => `${name}=${shellQuoted(value)}`);
  const words = command.args.map(({ text }) => text);
  // Nothing in the environment can replace a shell builtin with a function.
  if (builtinKind(program) === "harmless") {
    const all = program === "cd" ? ["-P", "--", ...words] : words;
    const text = [...variables, "command", program, ...all.map(withStatus), ...redirects].join(" ");
    return { text, isPosix: isPlainEcho(command) };
  }
  const found = programOutside(program, here.env.PATH ?? "", here.roots);
  if (found === "inside" || (!found && programOutside(program, here.fullPath, here.roots) === "inside")) {
    return { problem: `The only ${program} lies in the workspace, so it is not run without asking.` };
  }
  // The shell reports a missing program, each in different words.
  const isPosix = found !== undefined && !PRINTS_ENVIRONMENT.has(program);
  const start = shellQuoted(found ? found.file : program);
  if (isVersionQuestion(command)) {
    // Some programs first run something that a file in the folder names, such as another version of themselves.
    const piece = [start, ...words.map(shellQuoted)].join(" ");
    return { text: `(command cd / && ${piece})${redirects.map((each) => ` ${each}`).join("")}`, isPosix };
  }
  if (program === "git" && found && readByTable(command)) {
    here.gitVariables ??= gitVariables(found.file, here);
    const settings = await here.gitVariables;
    if ("problem" in settings) return settings;
    variables.push(...settings.map(([name, value]) => `${name}=${shellQuoted(value)}`));
  }
  const isThere = (path: string) =>
    folders.length > 0 && folders.every((folder) => isFileOrLink(resolve(folder, path)));
  const run = commandToRun(command, { platform: process.platform, file: found ? found.realFile : "", isThere });
  const opened = run.input ? [`${run.input[0]}<<<${shellQuoted(run.input[1])}`] : [];
  const text = [...variables, start, ...run.words.map(shellQuoted), ...redirects, ...opened].join(" ");
  return { text, isPosix: isPosix && run.input === undefined };
}

/** True if a file or link has this path, wherever the link may lead. */
function isFileOrLink(path: string): boolean {
  try {
    return lstatSync(path, { throwIfNoEntry: false }) !== undefined;
  } catch {
    return false;
  }
}

/** They print what the shell has added to the environment. */
const PRINTS_ENVIRONMENT = new Set(["env", "printenv"]);

/** True without options and backslashes, where shells agree on the output of echo. */
function isPlainEcho({ program, args }: CheckedCommand): boolean {
  const hasOption = args[0]?.text.startsWith("-") === true;
  return program === "echo" && !hasOption && !args.some(({ text }) => text.includes("\\"));
}

/** The only shell variable that such a line may contain. */
function withStatus(word: string): string {
  return word.split(exitStatus).map(shellQuoted).join('"$?"');
}
