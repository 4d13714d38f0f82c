import { type ChildProcessWithoutNullStreams, spawn } from "node:child_process";
import { parse } from "node:path";
import { pathOutside } from "@harness/gate";
import { errorCode } from "@harness/host";
import { realOr } from "./real-or.ts";

/** What git could not do, as a sentence for people. `said` = its own words. */
export class GitFailure extends Error {
  override readonly name = "GitFailure";
  readonly said: string;
  constructor(message: string, said = "") {
    super(message);
    this.said = said;
  }
}

/** Where one store keeps what it knows, and whose files it keeps. All absolute. */
export type StorePlace = {
  /** Our own: objects, index, settings. Never the person's `.git`. */
  gitDir: string;
  /** Paths in trees are relative to it. */
  workTree: string;
};

/** Which git runs: `command` as `PATH` finds it, but never from one of the folders of `outside`, which are absolute. */
export type GitProgram = { command: string; outside: readonly string[] };

type Where = {
  workTree?: string;
  index?: string;
  /** Where the process starts; absent: at the top, for below the work tree git looks at that part of it alone. */
  cwd?: string;
};
type Call = Where & { input?: string | Buffer; signal?: AbortSignal | undefined };

/** Of all git says: more than this is an error that repeats itself. */
const MOST_SAID = 4_000;
/** A list of changed files longer than this is not a workspace. */
const MOST_OUTPUT_BYTES = 512 * 1024 * 1024;

/**
 * git on a directory and an index of our own. It reads no configuration but the store's, runs no hook, filter or other
 * program, asks nobody, and fetches nothing.
 */
export class StoreGit {
  readonly place: StorePlace;
  readonly #command: string;
  readonly #path: string;
  constructor(place: StorePlace, { command, outside }: GitProgram) {
    this.place = place;
    this.#command = command;
    this.#path = pathOutside(process.env.PATH ?? "", [...outside, place.workTree], realOr);
  }

  /** Output of a git command that ends well; throws `GitFailure`. */
  async run(args: readonly string[], call: Call = {}): Promise<Buffer> {
    const { code, output } = await this.tryRun(args, call);
    if (code === 0) return output;
    throw new GitFailure(`git ${args[0]} ended with code ${code}.`);
  }

  /** The same for commands whose exit code is an answer; codes from 128 on are failures. */
  tryRun(args: readonly string[], { input, signal, ...where }: Call = {}): Promise<{ code: number; output: Buffer }> {
    return new Promise((resolve, reject) => {
      if (signal?.aborted) return reject(new GitFailure("It was stopped."));
      const child = this.#start(args, where);
      const stop = () => child.kill("SIGTERM");
      signal?.addEventListener("abort", stop, { once: true });
      const chunks: Buffer[] = [];
      let bytes = 0;
      let said = "";
      child.stdout.on("data", (chunk: Buffer) => {
        bytes += chunk.length;
        if (bytes > MOST_OUTPUT_BYTES) stop();
        else chunks.push(chunk);
      });
      child.stderr.setEncoding("utf8").on("data", (text: string) => {
        said = (said + text).slice(-MOST_SAID);
      });
      child.on("error", (error) => reject(notStarted(error)));
      child.on("close", (code) => {
        signal?.removeEventListener("abort", stop);
        if (signal?.aborted) reject(new GitFailure("It took too long."));
        else if (code === null || code >= 128)
          reject(new GitFailure(`git ${args[0]} failed: ${firstLine(said)}`, said));
        else resolve({ code, output: Buffer.concat(chunks) });
      });
      // git may end before it has read all: its exit code says why.
      child.stdin.on("error", () => undefined).end(input ?? "");
    });
  }

  /** A process that answers as long as it is asked; the caller ends it. */
  open(args: readonly string[]): ChildProcessWithoutNullStreams {
    return this.#start(args, {});
  }

  #start(args: readonly string[], { workTree, index, cwd }: Where) {
    const { gitDir } = this.place;
    const env: Record<string, string> = {
      ...quiet,
      PATH: this.#path,
      HOME: gitDir,
      XDG_CONFIG_HOME: gitDir,
      GIT_DIR: gitDir,
      GIT_WORK_TREE: workTree ?? this.place.workTree,
    };
    if (index !== undefined) env.GIT_INDEX_FILE = index;
    if (process.env.TMPDIR !== undefined) env.TMPDIR = process.env.TMPDIR;
    return spawn(this.#command, args, { cwd: cwd ?? parse(gitDir).root, env, stdio: "pipe" });
  }
}

/** Nothing of the caller's environment: no other repository, editor, pager, trace file or configuration. */
const quiet = {
  LC_ALL: "C",
  // Other versions of git may make other stores by themselves: names of 64 characters, or refs that are no files.
  GIT_DEFAULT_HASH: "sha1",
  GIT_DEFAULT_REF_FORMAT: "files",
  GIT_CONFIG_GLOBAL: "/dev/null",
  GIT_CONFIG_SYSTEM: "/dev/null",
  GIT_CONFIG_NOSYSTEM: "1",
  GIT_ATTR_NOSYSTEM: "1",
  GIT_TERMINAL_PROMPT: "0",
  GIT_NO_LAZY_FETCH: "1",
  GIT_ALLOW_PROTOCOL: "",
  GIT_PAGER: "cat",
  GIT_EDITOR: "false",
};

function firstLine(said: string): string {
  const line = said.split("\n").find((each) => each.trim() !== "");
  return line?.replace(/^(?:fatal|error): /, "") ?? "it said nothing";
}

function notStarted(error: Error): GitFailure {
  if (errorCode(error) !== "ENOENT") return new GitFailure(`git cannot be started: ${error.message}.`);
  return new GitFailure("git was not found, and files are kept with it. Install git to be able to undo.");
}
