import { runProgram } from "@harness/host";
import { signalInWords } from "@harness/protocol";

/** The shortest interval between two starts: about three a second. */
const MIN_PAUSE_MS = 350;
const TIMEOUT_MS = 3_000;
const MAX_LINE_BYTES = 8 * 1024;
const MAX_COMPLAINT = 200;

/** The line printed by the user's command, or why there is none. */
export type StatusLine = { text: string } | { problem: string };

type StatusOptions = { command: string; cwd: string; input: string };

type StatusCommandDeps = {
  environment(cwd: string): Record<string, string>;
  /** Removes the known secrets from a text. */
  hide(text: string): string;
  /** The line has changed. */
  changed(): void;
};

/** Runs the `statusline` command when its input has changed: one run at a time, and not too often. */
export class StatusCommand {
  readonly #deps: StatusCommandDeps;
  readonly #end = new AbortController();
  #running = false;
  #pause: NodeJS.Timeout | undefined;
  #startedAtMs = Number.NEGATIVE_INFINITY;
  #asked = "";
  #next: StatusOptions | undefined;
  #line: StatusLine | undefined;

  constructor(deps: StatusCommandDeps) {
    this.#deps = deps;
  }

  get line(): StatusLine | undefined {
    return this.#line;
  }

  /** Offers new input to the command; without a command there is no line. */
  offer(options: StatusOptions): void {
    const key = options.command.trim() === "" ? "" : JSON.stringify(options);
    if (key === this.#asked) return;
    this.#asked = key;
    this.#next = key === "" ? undefined : options;
    if (key === "") this.#show(undefined);
    else this.#start();
  }

  /** Ends the running command, with everything that it has started. */
  close(): void {
    clearTimeout(this.#pause);
    this.#end.abort();
  }

  #start(): void {
    const order = this.#next;
    if (!order || this.#running || this.#pause || this.#end.signal.aborted) return;
    const wait = this.#startedAtMs + MIN_PAUSE_MS - performance.now();
    if (wait > 0) {
      this.#pause = setTimeout(() => {
        this.#pause = undefined;
        this.#start();
      }, wait).unref();
      return;
    }
    this.#next = undefined;
    this.#startedAtMs = performance.now();
    this.#running = true;
    void this.#run(order);
  }

  async #run({ command, cwd, input }: StatusOptions): Promise<void> {
    const { environment, hide } = this.#deps;
    const result = await runProgram({
      path: "/bin/sh",
      args: ["-c", command],
      cwd,
      env: environment(cwd),
      input,
      timeoutMs: TIMEOUT_MS,
      signal: this.#end.signal,
      maxOutputBytes: MAX_LINE_BYTES,
    });
    this.#running = false;
    if (this.#end.signal.aborted) return;
    const text = hide(result.stdout.split("\n", 1)[0]?.trimEnd() ?? "");
    const problem = problemOf(result);
    // The setting may have changed by now.
    if (this.#asked !== "") this.#show(problem === undefined ? { text } : { problem: hide(problem) });
    this.#start();
  }

  #show(line: StatusLine | undefined): void {
    if (JSON.stringify(line) === JSON.stringify(this.#line)) return;
    this.#line = line;
    this.#deps.changed();
  }
}

function problemOf(result: Awaited<ReturnType<typeof runProgram>>): string | undefined {
  const { code, signal, problem, timedOut, stdout, stderr } = result;
  const begin = "The `statusline` command";
  if (problem !== undefined) return `${begin} could not be run: ${problem}.`;
  if (timedOut) return `${begin} took longer than ${TIMEOUT_MS / 1000} seconds and was stopped.`;
  if (code !== 0) {
    const complaint = stderr.trim().split("\n").at(-1)?.slice(0, MAX_COMPLAINT) ?? "";
    return `${begin} ended with ${signal === null ? `exit code ${code}` : signalInWords(signal)}${complaint === "" ? "." : `: ${complaint}`}`;
  }
  return stdout.trim() === "" ? `${begin} printed nothing.` : undefined;
}
