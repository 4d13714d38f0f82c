import { folderOf, isWithin, resolvePath } from "../places/path-place.ts";
import { isSecret } from "../places/secret-files.ts";
import type { KnownRepositories } from "../ports/repositories.ts";
import { objectNames } from "../programs/git/hardening.ts";
import { gitFolder } from "../programs/git/reading.ts";
import { opensAnyNames } from "../programs/input.ts";
import { builtinKind, readByTable } from "../programs/programs.ts";
import type { CheckedCommand, CheckedLine, CheckedWord } from "../shell/checked-line.ts";
import { exitStatus } from "../shell/strict-line.ts";

/**
 * `paths`: everything that the line may open, absolute, without duplicates; whether it may be read is not judged here.
 */
export type ReadOnlyVerdict = { paths: string[] } | { reason: string };

/**
 * `cwd`: the real folder that the line starts in. `enter`: the folder that a `cd` to this path really leads to; absent:
 * the path itself. `exists`: whether a file or folder has this name; absent: unknown. `git`: what names refer to;
 * absent: unknown, and the command treats them as commits.
 */
export type LineOptions = {
  cwd: string;
  enter?: (path: string) => string;
  exists?: (path: string) => boolean;
  git?: Pick<KnownRepositories, "kindOf">;
};

/** The verdict on a command; `undefined`: another rule covers it and its arguments are not examined. */
type Judge = (
  command: CheckedCommand,
  moved: boolean,
) => { paths: CheckedWord[]; folder?: boolean } | { reason: string } | undefined;

/** The verdict on a line: whether each command only reads, according to the table of programs and flags. */
export function readOnlyVerdict(line: CheckedLine, options: LineOptions): ReadOnlyVerdict {
  return judgeLine(
    line,
    options,
    (command) => readByTable(command) ?? { reason: `${commandName(command)} is not known to be read-only` },
  );
}

/** The paths of a line that was already allowed; unknown commands are skipped. */
export function pathsOfLine(line: CheckedLine, options: LineOptions): ReadOnlyVerdict {
  return judgeLine(line, options, readByTable);
}

export function commandName({ program, args: [first] }: CheckedCommand): string {
  return first && /^[a-z]/.test(first.text) && !first.glob ? `${program} ${first.text}` : program;
}

/** Judges each command in the folders in which it may run. */
export function judgeLine(line: CheckedLine, options: LineOptions, judge: Judge): ReadOnlyVerdict {
  const folders = createFolders(line, options);
  const paths = new Set<string>();
  for (const [index, command] of line.commands.entries()) {
    const { program } = command;
    if (program === "cd") {
      const problem = folders.change(command, index);
      if (problem) return { reason: `cd: ${problem}` };
      continue;
    }
    if (builtinKind(program) === "changes the shell") return { reason: `${program} changes the shell that it runs in` };
    if (command.args.some(({ text }) => text.includes(exitStatus)) && !/^(?:echo|printf)$/.test(program)) {
      return { reason: `${program}: the value of $? is known only when it runs` };
    }
    if (program === "git" && !isSameRepository(command, folders.current(), options)) {
      return { reason: "git in another folder, which may be a repository with settings of its own" };
    }
    const reading = judge(command, folders.moved());
    if (reading && "reason" in reading) return { reason: `${program}: ${reading.reason}` };
    const unnamed = reading && program === "git" ? unnamedObject(command, folders.current(), options) : undefined;
    if (unnamed) return { reason: `git: ${unnamed}` };
    if (reading && opensAnyNames(line, index)) return { reason: `${program}: it opens whatever its input names` };
    const words = [...(reading?.paths ?? []), ...inputOf(command)];
    const problem = addPaths(words, folders.current(), paths);
    if (problem) return { reason: `${program}: ${problem}` };
    if (reading?.folder) for (const folder of folders.current()) paths.add(folder);
    folders.leave(index);
  }
  for (const folder of folders.entered) paths.add(folder);
  return { paths: [...paths] };
}

/** The folders in which each command may run; none after a `cd` that is not understood. */
export function foldersOfLine(line: CheckedLine, options: LineOptions): (readonly string[])[] {
  const folders = createFolders(line, options);
  const found: (readonly string[])[] = [];
  for (const [index, command] of line.commands.entries()) {
    found.push(folders.current());
    if (command.program !== "cd") folders.leave(index);
    else if (folders.change(command, index) !== undefined) break;
  }
  return found;
}

/**
 * True if git finds the same repository there as in the start folder. No folder on the way up may be a repository or
 * point to one.
 */
function isSameRepository({ args }: CheckedCommand, folders: readonly string[], options: LineOptions): boolean {
  const { cwd, enter = (path) => path, exists } = options;
  const other = gitFolder(args);
  return folders.every((folder) => {
    const start = other === undefined ? folder : enter(resolvePath(folder, other));
    if (start === cwd) return true;
    if (!exists || !isWithin(start, cwd) || /(?:^|\/)\.git(?:\/|$)/i.test(start.slice(cwd.length))) return false;
    for (let at = start; at !== cwd; at = folderOf(at)) {
      if (exists(`${at}/.git`) || exists(`${at}/HEAD`)) return false;
    }
    return true;
  });
}

/**
 * A file or folder in git whose name does not give its path, such as a bare hash; the command that runs would reject
 * it.
 */
function unnamedObject({ args }: CheckedCommand, folders: readonly string[], options: LineOptions): string | undefined {
  const { enter = (path) => path, exists, git } = options;
  if (!git) return undefined;
  const other = gitFolder(args);
  for (const each of folders) {
    const folder = other === undefined ? each : enter(resolvePath(each, other));
    for (const name of objectNames(args, (word) => exists?.(resolvePath(folder, word)) ?? false)) {
      const kind = git.kindOf(folder, name);
      if (kind === "blob") return `${name} is a file, and does not say which`;
      if (kind === "tree") return `${name} is a folder, and does not say which`;
    }
  }
  return undefined;
}

function inputOf({ input }: CheckedCommand): CheckedWord[] {
  return input === undefined ? [] : [{ text: input, glob: false }];
}

function addPaths(words: readonly CheckedWord[], folders: readonly string[], paths: Set<string>): string | undefined {
  for (const word of words) {
    const problem = pathProblem(word, folders.length);
    if (problem) return problem;
    for (const folder of folders) {
      const path = resolvePath(folder, word.glob ? literalFolder(word.text) : word.text);
      if (path !== "/dev/null") paths.add(path);
    }
  }
  return undefined;
}

function pathProblem({ text, glob }: CheckedWord, folders: number): string | undefined {
  if (text.includes(exitStatus)) return "the value of $? is known only when it runs";
  if (climbsBehindFolder(text)) return `${text} goes up again after a folder`;
  if (!glob) return undefined;
  if (folders > 1) return `it is not known in which folder ${text} matches names`;
  return isSecret(text) ? `${text} may match files with secrets` : undefined;
}

/** After a link, `..` leads to a different folder than the text suggests. */
function climbsBehindFolder(path: string): boolean {
  let isBehind = path.startsWith("/");
  for (const segment of path.split("/")) {
    if (segment === ".." && isBehind) return true;
    if (segment !== "" && segment !== "." && segment !== "..") isBehind = true;
  }
  return false;
}

/** The folder before the first path segment with a star. */
export function literalFolder(pattern: string): string {
  const star = pattern.search(/[*?]/);
  const slash = pattern.lastIndexOf("/", star);
  if (slash < 0) return ".";
  return slash === 0 ? "/" : pattern.slice(0, slash);
}

type Folders = {
  entered: Set<string>;
  current(): readonly string[];
  /** True if the line has changed into another folder. Agents often begin with a `cd` into the session's own. */
  moved(): boolean;
  change(command: CheckedCommand, index: number): string | undefined;
  leave(index: number): void;
};

/**
 * The folders in which a command may run. It is certainly x only after `cd x &&`; after `;`, and wherever the line has
 * `||`, the change may also have failed or been skipped.
 */
function createFolders({ joins }: CheckedLine, { cwd, enter = (path) => path }: LineOptions): Folders {
  let current: readonly string[] = [cwd];
  let failed: readonly string[] = [];
  let changes = 0;
  let hasMoved = false;
  const entered = new Set<string>();
  const hasOr = joins.includes("||");
  const both = (more: readonly string[]) => [...new Set([...current, ...more])];
  const leave = (index: number) => {
    if (joins[index] === "&&") return;
    current = both(failed);
    failed = [];
  };
  return {
    entered,
    current: () => current,
    moved: () => hasMoved,
    leave,
    change(command, index) {
      const target = folderOfChange(command);
      if (typeof target === "string") return target;
      if (joins[index] === "|" || joins[index - 1] === "|") return "inside a pipe it changes nothing";
      if (++changes > 3) return "it is used more than three times";
      const before = current;
      current = [...new Set(before.map((folder) => enter(resolvePath(folder, target.path))))];
      for (const folder of current) {
        if (/(?:^|\/)\.git(?:\/|$)/i.test(folder)) return "it leads into .git";
        entered.add(folder);
        hasMoved ||= folder !== cwd;
      }
      if (hasOr) current = both(before);
      else failed = [...failed, ...before];
      leave(index);
      return undefined;
    },
  };
}

function folderOfChange({ args, env, input }: CheckedCommand): string | { path: string } {
  const [word, ...more] = args;
  if (!word || more.length > 0 || env.length > 0 || input !== undefined) return "only one folder may follow";
  if (word.glob || word.text === "" || word.text.startsWith("-")) return "only the name of a folder may follow";
  return pathProblem(word, 1) ?? { path: word.text };
}
