import { type ProgramEnd, ProgramProcess } from "./program-process.ts";
import { windowsLineProblem } from "./start-problem.ts";

/** Time to end after being asked to, and for the output of leftover processes. */
const GRACE_MS = 2_000;
const LEFT_OPEN_MS = 500;
/** Exit codes of shells and `env` if a program is not found or may not be run. */
const NOT_RUN = new Set([126, 127]);

export type ProgramOptions = {
  path: string;
  args?: readonly string[];
  cwd: string;
  env: Readonly<Record<string, string>>;
  input?: string;
  timeoutMs: number;
  /** Ends it, with everything that it has started. */
  signal: AbortSignal;
  /** For stdout; the rest is read, and passed only to `onOutput`. */
  maxOutputBytes: number;
  /** Receives all output as it arrives. */
  onOutput?(text: string, from: "stdout" | "stderr"): void;
};

export type ProgramResult = ProgramEnd & {
  stdout: string;
  /** Only its end if it is long. */
  stderr: string;
  timedOut: boolean;
  /** It wrote more than `stdout` contains. */
  truncated: boolean;
  /** Its children still held its output open, and were ended. */
  leftBehind: boolean;
};

/** The result of a program that was not started, except for the reason. */
export const NOT_STARTED: ProgramResult = {
  code: null,
  signal: null,
  stdout: "",
  stderr: "",
  timedOut: false,
  truncated: false,
  leftBehind: false,
};

/** Runs an executable to its end, in a process group of its own. Never rejects; `problem`: why it did not run. */
export async function runProgram(options: ProgramOptions): Promise<ProgramResult> {
  if (options.signal.aborted) return { ...NOT_STARTED, problem: "it was cancelled before it began" };
  return await new ProgramRun(options).result();
}

class ProgramRun {
  readonly #options: ProgramOptions;
  readonly #program: ProgramProcess;
  readonly #pieces: Uint8Array[] = [];
  #bytes = 0;
  #timedOut = false;
  #leftBehind = false;
  #isStopping = false;
  readonly #timers = new Set<NodeJS.Timeout>();

  constructor(options: ProgramOptions) {
    this.#options = options;
    const { path, args = [], cwd, env, input, onOutput } = options;
    this.#program = new ProgramProcess({
      path,
      args,
      cwd,
      env,
      ...(input === undefined ? {} : { input }),
      ...(onOutput ? { onStderr: (text) => onOutput(text, "stderr") } : {}),
    });
  }

  async result(): Promise<ProgramResult> {
    const { path, timeoutMs, signal, maxOutputBytes } = this.#options;
    const stop = () => this.#stop();
    signal.addEventListener("abort", stop, { once: true });
    this.#after(timeoutMs, () => {
      this.#timedOut = true;
      this.#stop();
    });
    void this.#program.exited.then(() =>
      this.#after(LEFT_OPEN_MS, () => {
        this.#leftBehind = true;
        this.#stop();
      }),
    );
    try {
      await this.#read();
      const end = await this.#program.ended;
      const foreign = NOT_RUN.has(end.code ?? 0) ? await windowsLineProblem(path) : undefined;
      return {
        ...end,
        ...(foreign === undefined ? {} : { problem: foreign }),
        stdout: Buffer.concat(this.#pieces).toString("utf8"),
        stderr: this.#program.stderr,
        timedOut: this.#timedOut,
        truncated: this.#bytes > maxOutputBytes,
        leftBehind: this.#leftBehind,
      };
    } finally {
      signal.removeEventListener("abort", stop);
      for (const timer of this.#timers) clearTimeout(timer);
      // Children may ignore the request to end, and hold nothing open.
      if (this.#isStopping) this.#program.kill("SIGKILL");
    }
  }

  async #read(): Promise<void> {
    const { maxOutputBytes, onOutput } = this.#options;
    const decoder = new TextDecoder();
    try {
      for await (const piece of this.#program.output()) {
        const room = maxOutputBytes - this.#bytes;
        if (room > 0) this.#pieces.push(piece.length > room ? piece.subarray(0, room) : piece);
        this.#bytes += piece.length;
        onOutput?.(decoder.decode(piece, { stream: true }), "stdout");
      }
    } catch {
      // It was abandoned: the output so far counts.
    }
  }

  /** Asks the group to end, and soon after kills it. */
  #stop(): void {
    if (this.#isStopping) return;
    this.#isStopping = true;
    this.#program.kill("SIGTERM");
    this.#after(GRACE_MS, () => this.#program.abandon("SIGKILL"));
  }

  #after(ms: number, act: () => void): void {
    this.#timers.add(setTimeout(act, ms));
  }
}
