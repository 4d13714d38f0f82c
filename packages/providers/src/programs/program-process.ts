import { type ChildProcess, spawn } from "node:child_process";
import { homedir } from "node:os";

/** A helper of the program may keep its stderr open for longer than the program lives. */
const LAST_WORDS_MS = 500;
const STDERR_CHARS = 4_096;
const MAX_LINES = 5;

export type ProgramStart = { path: string; args: readonly string[]; env: Record<string, string>; input?: string };

/** The end of a program; `problem` when it could not be started. */
export type ProgramEnd = { code: number | null; signal: NodeJS.Signals | null; problem?: string };

/** An executable in a process group of its own, so that it can be ended with everything it started. */
export class ProgramProcess {
  readonly #child: ChildProcess;
  readonly ended: Promise<ProgramEnd>;
  #stderr = "";
  #isOver = false;

  constructor({ path, args, env, input }: ProgramStart) {
    this.#child = spawn(path, args, { cwd: homedir(), env, detached: true, stdio: ["pipe", "pipe", "pipe"] });
    const { stdin, stderr } = this.#child;
    this.ended = new Promise((resolve) => {
      this.#child.once("error", (error) => resolve(this.#over({ code: null, signal: null, problem: error.message })));
      this.#child.once("exit", () => setTimeout(() => stderr?.destroy(), LAST_WORDS_MS).unref());
      this.#child.once("close", (code, signal) => resolve(this.#over({ code, signal })));
    });
    // A program need not read what it is given.
    stdin?.on("error", () => undefined);
    stdin?.end(input ?? "");
    stderr?.setEncoding("utf8").on("data", (text: string) => {
      this.#stderr = (this.#stderr + text).slice(-STDERR_CHARS);
    });
  }

  /** Ends with an error when the program is abandoned. */
  async *output(): AsyncGenerator<Uint8Array> {
    if (this.#child.stdout) yield* this.#child.stdout;
  }

  /** The last lines of what it complained of. */
  get complaint(): string {
    const lines = this.#stderr.split("\n").filter((line) => line.trim() !== "");
    return lines.slice(-MAX_LINES).join("\n");
  }

  /** Kills the group and closes the pipes, so that a process that left the group cannot keep us waiting. */
  abandon(signal: "SIGTERM" | "SIGKILL"): void {
    this.kill(signal);
    this.#child.stdout?.destroy();
    this.#child.stderr?.destroy();
  }

  /** Kills it with everything that it started. */
  kill(signal: "SIGTERM" | "SIGKILL"): void {
    const { pid } = this.#child;
    if (pid === undefined || (this.#isOver && signal === "SIGTERM")) return;
    try {
      process.kill(-pid, signal);
    } catch {
      // The whole group has ended.
    }
  }

  #over(end: ProgramEnd): ProgramEnd {
    this.#isOver = true;
    return end;
  }
}
