import { type ChildProcess, spawn } from "node:child_process";
import { parse } from "node:path";
import { pathOutside } from "@harness/gate";
import { errorCode, quietGit, realPathOrSame, runGit } from "@harness/host";

/** A git command failed; the message is a sentence for people. `said` is git's own output. */
export class GitError extends Error {
  override readonly name = "GitFailure";
  readonly output: string;
  constructor(message: string, output = "") {
    super(message);
    this.output = output;
  }
}

/** The location of a store and of the files in it. All paths are absolute. */
export type StoreLocation = {
  /** Our own objects, index and settings. Never the user's `.git`. */
  gitDir: string;
  /** Paths in trees are relative to it. */
  workTree: string;
  /** Absent: the store's own. */
  index?: string;
};

/** The git to run: `command` as found in `PATH`, but never in one of the absolute folders `outside`. */
export type GitProgram = { command: string; outside: readonly string[] };

type Where = {
  workTree?: string;
  index?: string;
  /**
   * The current folder of the process. The file system root by default, because inside the work tree git looks only at
   * that part.
   */
  cwd?: string;
};
type Call = Where & { input?: string | Buffer; signal?: AbortSignal | undefined };

/** A workspace has no longer list of changed files. */
const MAX_OUTPUT_BYTES = 512 * 1024 * 1024;

/**
 * git with our own directory and index. It reads only the store's configuration, runs no hook, filter or other program,
 * never prompts, and fetches nothing.
 */
export class StoreGit {
  readonly place: StoreLocation;
  readonly #command: string;
  readonly #path: string;
  constructor(location: StoreLocation, { command, outside }: GitProgram) {
    this.place = location;
    this.#command = command;
    this.#path = pathOutside(process.env.PATH ?? "", [...outside, location.workTree], realPathOrSame);
  }

  /** The output of a successful git command; throws `GitError` otherwise. */
  async run(args: readonly string[], call: Call = {}): Promise<Buffer> {
    const { code, output } = await this.tryRun(args, call);
    if (code === 0) return output;
    throw new GitError(`git ${args[0]} ended with code ${code}.`);
  }

  /** Like `run`, for commands whose exit code is a result; codes from 128 on are failures. */
  async tryRun(
    args: readonly string[],
    { input, signal, ...where }: Call = {},
  ): Promise<{ code: number; output: Buffer }> {
    if (signal?.aborted) throw new GitError("It was stopped.");
    const run = {
      command: this.#command,
      args,
      ...this.#placeOf(where),
      input,
      signal,
      maxOutputBytes: MAX_OUTPUT_BYTES,
    };
    const { code, output, message } = await runGit(run).catch((error) => {
      throw notStarted(error);
    });
    if (signal?.aborted) throw new GitError("It took too long.");
    if (code === null || code >= 128) throw new GitError(`git ${args[0]} failed: ${firstLine(message)}`, message);
    return { code, output };
  }

  /** Starts a process that answers requests until the caller ends it. */
  open(args: readonly string[]): ChildProcess {
    return spawn(this.#command, args, { ...this.#placeOf({}), stdio: "pipe" });
  }

  #placeOf({ workTree, index, cwd }: Where): { cwd: string; env: Record<string, string> } {
    const { gitDir, index: own } = this.place;
    const env: Record<string, string> = {
      ...quiet,
      PATH: this.#path,
      HOME: gitDir,
      XDG_CONFIG_HOME: gitDir,
      GIT_DIR: gitDir,
      GIT_WORK_TREE: workTree ?? this.place.workTree,
    };
    const indexFile = index ?? own;
    if (indexFile !== undefined) env.GIT_INDEX_FILE = indexFile;
    if (process.env.TMPDIR !== undefined) env.TMPDIR = process.env.TMPDIR;
    return { cwd: cwd ?? parse(gitDir).root, env };
  }
}

/** Inherits nothing from the caller's environment: no other repository, editor, pager, trace file or configuration. */
const quiet = {
  ...quietGit,
  LC_ALL: "C",
  // Other versions of git may create different stores by default: names of 64 characters, or refs that are not files.
  GIT_DEFAULT_HASH: "sha1",
  GIT_DEFAULT_REF_FORMAT: "files",
  GIT_CONFIG_GLOBAL: "/dev/null",
  GIT_CONFIG_SYSTEM: "/dev/null",
  GIT_CONFIG_NOSYSTEM: "1",
  GIT_ATTR_NOSYSTEM: "1",
  GIT_EDITOR: "false",
};

function firstLine(output: string): string {
  const line = output.split("\n").find((each) => each.trim() !== "");
  return line?.replace(/^(?:fatal|error): /, "") ?? "it said nothing";
}

function notStarted(error: Error): GitError {
  if (errorCode(error) !== "ENOENT") return new GitError(`git cannot be started: ${error.message}.`);
  return new GitError("git was not found, and undo needs it. Install git.");
}
