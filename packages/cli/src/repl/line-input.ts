import { createInterface, type Interface } from "node:readline";

type Waiter = { prompt: string; take: (line: string | undefined) => void };

export type LineInputParts = {
  input: NodeJS.ReadStream;
  output: NodeJS.WriteStream;
  /** A line that nothing waits for, typed by a person while a turn runs. */
  onStray(line: string): void;
  /** Ctrl+C. `hadText`: it emptied the line. */
  onInterrupt(line: { hadText: boolean }): void;
};

/**
 * Lines of a person or a script. The one who asked last gets the next line: a question comes before the prompt. Lines
 * of a pipe wait until they are asked for.
 */
export class LineInput {
  readonly #parts: LineInputParts;
  readonly #lines: Interface;
  readonly #waiters: Waiter[] = [];
  readonly #queued: string[] = [];
  #hasEnded = false;

  constructor(parts: LineInputParts) {
    this.#parts = parts;
    const { input, output } = parts;
    this.#lines = createInterface({ input, output, terminal: input.isTTY === true && output.isTTY === true });
    this.#lines.on("line", (line) => this.#take(line));
    this.#lines.on("close", () => this.#end());
    this.#lines.on("SIGINT", () => this.#interrupt());
  }

  /** The next line; undefined at the end of the input, or when the signal withdraws the question. */
  line(prompt: string, signal?: AbortSignal): Promise<string | undefined> {
    const queued = this.#queued.shift();
    if (queued !== undefined || this.#hasEnded) {
      this.#parts.output.write(`${prompt}${queued ?? ""}\n`);
      return Promise.resolve(queued);
    }
    return new Promise((resolve) => {
      const waiter: Waiter = { prompt, take: resolve };
      const withdraw = (): void => {
        const at = this.#waiters.indexOf(waiter);
        if (at < 0) return;
        this.#waiters.splice(at, 1);
        resolve(undefined);
        this.refresh();
      };
      if (signal?.aborted) return resolve(undefined);
      signal?.addEventListener("abort", withdraw, { once: true });
      // What was typed before the question could be read is no answer to it.
      this.#lines.write(null, { ctrl: true, name: "u" });
      this.#waiters.push(waiter);
      this.refresh();
    });
  }

  /** Shows the prompt again, below what was printed meanwhile. */
  refresh(): void {
    const waiter = this.#waiters.at(-1);
    if (!waiter || this.#hasEnded) return;
    this.#lines.setPrompt(waiter.prompt);
    this.#lines.prompt(true);
  }

  /** Prints whole lines above the prompt. */
  print(text: string): void {
    const { output } = this.#parts;
    const isWaiting = this.#waiters.length > 0 && !this.#hasEnded;
    output.write(isWaiting ? `\n${text}\n` : `${text}\n`);
    if (isWaiting) this.refresh();
  }

  close(): void {
    this.#lines.close();
  }

  #take(line: string): void {
    const waiter = this.#waiters.pop();
    if (waiter) waiter.take(line);
    else if (this.#parts.input.isTTY) this.#parts.onStray(line);
    else this.#queued.push(line);
  }

  #interrupt(): void {
    const hadText = this.#lines.line !== "";
    this.#lines.write(null, { ctrl: true, name: "e" });
    this.#lines.write(null, { ctrl: true, name: "u" });
    this.#parts.onInterrupt({ hadText });
  }

  #end(): void {
    this.#hasEnded = true;
    for (const waiter of this.#waiters.splice(0)) waiter.take(undefined);
  }
}
