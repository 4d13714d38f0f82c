import { type ChildProcess, spawn } from "node:child_process";
import { callMark, newCallId, signalMarked } from "./call-mark.ts";
import { readStat } from "./process-stat.ts";
import { startProblem } from "./start-problem.ts";

/** A program's children may keep its output open for longer than the program lives. */
const LAST_WORDS_MS = 500;
const MAX_STDERR_CHARS = 64 * 1024;
const COMPLAINT_CHARS = 4_096;
const MAX_LINES = 5;

export type ProgramStart = {
  path: string;
  args: readonly string[];
  cwd: string;
  env: Readonly<Record<string, string>>;
  input?: string;
  /** Receives its stderr as it arrives. */
  onStderr?(text: string): void;
};

/** The end of a program; `problem`: why it could not be started. */
export type ProgramEnd = { code: number | null; signal: NodeJS.Signals | null; problem?: string };

/**
 * An executable in a process group of its own, with a mark that its children inherit, so that it can be ended together
 * with everything it started.
 */
export class ProgramProcess {
  readonly #child: ChildProcess | undefined;
  readonly #callId = newCallId();
  readonly ended: Promise<ProgramEnd>;
  /** Resolves when the program itself has exited; its children may still hold its output open. */
  readonly exited: Promise<void>;
  #stderr = "";
  #isOver = false;

  constructor({ path, args, cwd, env, input, onStderr }: ProgramStart) {
    const notStarted = async (error: unknown) =>
      this.#over({ code: null, signal: null, problem: await startProblem(path, cwd, error) });
    let child: ChildProcess;
    try {
      const mark = callMark(this.#callId, { start: readStat(process.pid)?.start ?? "" });
      child = spawn(path, args, { cwd, env: { ...env, ...mark }, detached: true, stdio: ["pipe", "pipe", "pipe"] });
    } catch (error) {
      // Node throws for some system errors, such as a file without a first line, and reports others as an event.
      this.ended = notStarted(error);
      this.exited = Promise.resolve();
      return;
    }
    this.#child = child;
    const { stdin, stderr } = child;
    const exited = Promise.withResolvers<void>();
    this.exited = exited.promise;
    this.ended = new Promise((resolve) => {
      child.once("error", (error) => {
        exited.resolve();
        resolve(notStarted(error));
      });
      child.once("exit", () => {
        exited.resolve();
        setTimeout(() => stderr?.destroy(), LAST_WORDS_MS).unref();
      });
      child.once("close", (code, signal) => resolve(this.#over({ code, signal })));
    });
    // A program need not read its input.
    stdin?.on("error", () => undefined);
    stdin?.end(input ?? "");
    stderr?.setEncoding("utf8").on("data", (text: string) => {
      this.#stderr = (this.#stderr + text).slice(-MAX_STDERR_CHARS);
      onStderr?.(text);
    });
  }

  /** Ends with an error if the program is abandoned. */
  async *output(): AsyncGenerator<Uint8Array> {
    if (this.#child?.stdout) yield* this.#child.stdout;
  }

  /** The end of its stderr. */
  get stderr(): string {
    return this.#stderr;
  }

  /** The last lines of its complaints. */
  get complaint(): string {
    const lines = this.#stderr
      .slice(-COMPLAINT_CHARS)
      .split("\n")
      .filter((line) => line.trim() !== "");
    return lines.slice(-MAX_LINES).join("\n");
  }

  /** Kills the group and closes the pipes, so that a process that left the group cannot keep us waiting. */
  abandon(signal: "SIGTERM" | "SIGKILL"): void {
    this.kill(signal);
    this.#child?.stdout?.destroy();
    this.#child?.stderr?.destroy();
  }

  /** Kills it with everything that it started. */
  kill(signal: "SIGTERM" | "SIGKILL"): void {
    const pid = this.#child?.pid;
    if (pid === undefined || (this.#isOver && signal === "SIGTERM")) return;
    try {
      process.kill(-pid, signal);
    } catch {
      // The whole group has ended.
    }
    signalMarked(this.#callId, pid, signal);
  }

  #over(end: ProgramEnd): ProgramEnd {
    this.#isOver = true;
    return end;
  }
}
