import { type ChildProcessByStdio, spawn } from "node:child_process";
import type { Readable, Writable } from "node:stream";
import { errorCode } from "../files/error-code.ts";
import { atExit } from "./at-exit.ts";
import { CALL_ID, signalMarked } from "./call-mark.ts";

export type GroupCommand = {
  command: string;
  args: readonly string[];
  cwd: string;
  /** Exactly these variables. */
  env: Readonly<Record<string, string>>;
};

/** A server ends by itself when its stdin ends; otherwise it is asked to, and then killed. */
const LEAVE_MS = 300;
const END_MS = 700;
/** A process that left the group may hold the pipes longer than the server lives. */
const LAST_WORDS_MS = 200;

/** A server that speaks over the pipes of its own process, in a process group that ends with it. */
export class GroupProcess {
  readonly pid: number | undefined;
  readonly stdin: Writable;
  readonly stdout: Readable;
  readonly stderr: Readable;
  /** Resolves once it has ended. */
  readonly ended: Promise<void>;
  /** How it ended, once it has. */
  end: { code: number | null; signal: NodeJS.Signals | null } | undefined;
  readonly #child: ChildProcessByStdio<Writable, Readable, Readable>;
  readonly #callId: string | undefined;
  readonly #forget: () => void;

  /** Rejects with a sentence. */
  static async start(start: GroupCommand): Promise<GroupProcess> {
    const { command, args, cwd, env } = start;
    const child = spawn(command, args, { cwd, env, detached: true, stdio: ["pipe", "pipe", "pipe"] });
    await new Promise<void>((resolve, reject) => {
      child.once("spawn", resolve);
      child.once("error", (error) => reject(new Error(startSentence(error, start))));
    });
    return new GroupProcess(child, env[CALL_ID]);
  }

  private constructor(child: ChildProcessByStdio<Writable, Readable, Readable>, callId: string | undefined) {
    this.#child = child;
    this.#callId = callId;
    this.pid = child.pid;
    this.stdin = child.stdin;
    this.stdout = child.stdout;
    this.stderr = child.stderr;
    this.#forget = atExit(() => this.kill("SIGKILL"));
    this.ended = new Promise((resolve) => child.once("exit", (code, signal) => resolve(this.#over(code, signal))));
    child.on("error", () => undefined);
    for (const stream of [child.stdin, child.stdout, child.stderr]) stream.on("error", () => undefined);
  }

  /** `close`: it has ended, and its pipes are read. */
  on(event: "close", listener: () => void): void;
  on(event: "error", listener: (error: Error) => void): void;
  on(event: "close" | "error", listener: (error: Error) => void): void {
    this.#child.on(event, listener);
  }

  /** Ends it and its group; resolves when it has ended. */
  async close(): Promise<void> {
    this.stdin.end();
    if (!(await this.#endsWithin(LEAVE_MS))) this.kill("SIGTERM");
    if (!(await this.#endsWithin(END_MS))) this.kill("SIGKILL");
    await this.ended;
  }

  kill(signal: "SIGTERM" | "SIGKILL"): void {
    if (this.pid === undefined) return;
    try {
      process.kill(-this.pid, signal);
    } catch {
      // The whole group has ended.
    }
    if (this.#callId !== undefined) signalMarked(this.#callId, this.pid, signal);
  }

  #over(code: number | null, signal: NodeJS.Signals | null): void {
    this.end = { code, signal };
    // Processes that it started die with it, and must not hold its pipes.
    this.kill("SIGKILL");
    this.#forget();
    setTimeout(() => {
      this.stdout.destroy();
      this.stderr.destroy();
    }, LAST_WORDS_MS).unref();
  }

  #endsWithin(ms: number): Promise<boolean> {
    if (this.end) return Promise.resolve(true);
    return new Promise((resolve) => {
      const timer = setTimeout(() => resolve(false), ms);
      void this.ended.then(() => {
        clearTimeout(timer);
        resolve(true);
      });
    });
  }
}

function startSentence(error: Error, { command, cwd }: GroupCommand): string {
  const code = errorCode(error);
  if (code === "ENOENT") return `${command} was not found, or the folder ${cwd} does not exist.`;
  if (code === "EACCES") return `${command} cannot be run: make it executable (chmod +x).`;
  return `${command} could not be started: ${error.message}`;
}
