import { createInterface, emitKeypressEvents, type Interface } from "node:readline";
import { isatty } from "node:tty";
import { TerminalLoan } from "@harness/client/terminal-loan";
import { MessageDraft } from "./message-draft.ts";

type LineEditing = {
  /** Tab completions of a line that begins with a slash. */
  complete(line: string): Promise<string[]>;
};

type LineInputOptions = {
  input: NodeJS.ReadStream & { readonly fd: number };
  output: NodeJS.WriteStream;
  /**
   * Lines are edited here, with history and arrows. Without it the terminal does that: nothing is ever drawn twice,
   * which a screen reader would read twice, and a dumb terminal could not show.
   */
  editing: LineEditing | undefined;
  /** A line that nothing waits for, typed by the user while a turn runs. */
  onStray(line: string): void;
  /** Ctrl+C. `hadText`: it emptied the line. */
  onInterrupt(line: { hadText: boolean }): void;
  /** The user pressed Ctrl+D. */
  onEnd(): void;
  /** The terminal was closed: nobody is there. */
  onGone(): void;
};

export type LineAsk = {
  /** Withdraws the question. */
  readonly signal?: AbortSignal;
  /** A message may have several lines, an answer only one. */
  readonly isMessage?: boolean;
};

type CompletionCallback = (error: null, found: [lines: string[], begun: string]) => void;
type Waiter = { prompt: string; isMessage: boolean; take: (line: string | undefined) => void };

const CONTINUED = "... ";
/** Lines that arrive without a pause were pasted: they are one message. */
const PASTE_MS = 30;
const BRACKETED = { on: "\u001b[?2004h", off: "\u001b[?2004l" };

/**
 * Lines of a user or a script. The last asker gets the next line: a question comes before the prompt. Lines of a pipe
 * wait until they are requested.
 */
export class LineInput {
  readonly #options: LineInputOptions;
  readonly #lines: Interface;
  readonly #waiters: Waiter[] = [];
  readonly #queued: string[] = [];
  readonly #draft = new MessageDraft();
  readonly #loan = new TerminalLoan();
  /** Lines that arrived together so far, and whether they were there before the open question. */
  #together: string[] = [];
  #isAhead = false;
  #pause: NodeJS.Timeout | undefined;
  #isPasting = false;
  /** The text that was being typed when a question arrived. */
  #held = "";
  #hasEnded = false;

  constructor(options: LineInputOptions) {
    this.#options = options;
    const { input, output } = options;
    const { edits } = this;
    if (edits) this.#watchPastes();
    this.#lines = createInterface({
      ...{ input, output, terminal: edits },
      completer: (line: string, done: CompletionCallback) => this.#complete(line, done),
    });
    this.#lines.on("line", (line) => this.#arrived(line));
    // Answers are not messages, so they stay out of the history.
    this.#lines.on("history", (history) => {
      if (this.#waiters.at(-1)?.isMessage === false) history.shift();
    });
    this.#lines.on("close", () => this.#end());
    // The terminal cannot be read, or its mode cannot be restored.
    this.#lines.on("error", () => this.#gone());
    this.#lines.on("SIGINT", () => this.interrupt());
  }

  get edits(): boolean {
    return this.#options.editing !== undefined;
  }

  /** Stores a message that arrived before anything has asked for it. */
  later(text: string): void {
    this.#queued.push(text);
  }

  /** The next line; undefined at the end of the input, or if the signal withdraws the question. */
  line(prompt: string, { signal, isMessage = false }: LineAsk = {}): Promise<string | undefined> {
    const queued = this.#fromQueue(prompt, isMessage);
    if (queued !== undefined || this.#hasEnded) return Promise.resolve(queued);
    return new Promise((resolve) => {
      const waiter: Waiter = { prompt, isMessage, take: resolve };
      const withdraw = (): void => {
        const at = this.#waiters.indexOf(waiter);
        if (at < 0) return;
        this.#waiters.splice(at, 1);
        resolve(undefined);
        this.refresh();
      };
      if (signal?.aborted) return resolve(undefined);
      signal?.addEventListener("abort", withdraw, { once: true });
      if (!isMessage) this.#hold();
      // Lines that arrived before the question do not answer it.
      if (!isMessage) this.#isAhead ||= this.#together.length > 0;
      this.#waiters.push(waiter);
      this.refresh();
    });
  }

  /** Shows the prompt again, below the output since. */
  refresh(): void {
    const waiter = this.#waiters.at(-1);
    if (!waiter || this.#hasEnded) return;
    this.#lines.setPrompt(waiter.isMessage && !this.#draft.isEmpty ? CONTINUED : waiter.prompt);
    this.#lines.prompt(true);
  }

  /** Prints whole lines above the prompt. */
  print(text: string): void {
    const { output } = this.#options;
    const isWaiting = this.#waiters.length > 0 && !this.#hasEnded;
    output.write(isWaiting ? `\n${text}\n` : `${text}\n`);
    if (isWaiting) this.refresh();
  }

  /** Hands the terminal to a program. */
  async lend<T>(run: () => Promise<T>): Promise<T> {
    const { input, output } = this.#options;
    const { edits } = this;
    this.#lines.pause();
    this.#loan.begin();
    if (edits) output.write(BRACKETED.off);
    if (edits) input.setRawMode(false);
    try {
      return await run();
    } finally {
      this.#loan.end();
      if (edits) input.setRawMode(true);
      if (edits) output.write(BRACKETED.on);
      this.#lines.resume();
    }
  }

  /** A SIGINT. It may be meant for a program that has the terminal. */
  signalled(): void {
    if (!this.#loan.takesKeys) this.interrupt();
  }

  /** Ctrl+C: discards the typed text. */
  interrupt(): void {
    const hadText = this.#lines.line !== "" || this.#together.length > 0 || !this.#draft.isEmpty;
    clearTimeout(this.#pause);
    this.#together = [];
    this.#isAhead = false;
    this.#isPasting = false;
    this.#draft.end();
    if (this.edits) this.#erase();
    this.#options.onInterrupt({ hadText });
  }

  close(): void {
    if (this.edits) this.#options.output.write(BRACKETED.off);
    this.#lines.close();
  }

  /** Otherwise a tab is a tab, inserted at once, so that text pasted after it does not wait. */
  #complete(line: string, done: CompletionCallback): void {
    const found = this.#isPasting || !line.startsWith("/") ? undefined : this.#options.editing?.complete(line);
    if (!found) {
      done(null, [[`${line}\t`], line]);
      return;
    }
    found.then(
      (lines) => done(null, [lines, line]),
      () => done(null, [[], line]),
    );
  }

  /** A terminal with bracketed paste says exactly which lines belong together. */
  #watchPastes(): void {
    const { input, output } = this.#options;
    emitKeypressEvents(input);
    input.on("keypress", (_text: string | undefined, key: { name?: string } | undefined) => {
      if (key?.name === "paste-start") this.#isPasting = true;
      if (key?.name !== "paste-end") return;
      this.#isPasting = false;
      if (this.#together.length > 0) this.#settleSoon();
    });
    output.write(BRACKETED.on);
  }

  #arrived(line: string): void {
    if (!this.#options.input.isTTY) {
      this.#take(line);
      return;
    }
    this.#together.push(line);
    // For an answer only those that arrived in one read: the next one may follow at once.
    const isAnswer = this.edits && this.#waiters.at(-1)?.isMessage === false;
    if (!this.#isPasting) this.#settleSoon(isAnswer ? 0 : PASTE_MS);
  }

  #settleSoon(ms = PASTE_MS): void {
    clearTimeout(this.#pause);
    this.#pause = setTimeout(() => {
      // The last line of a paste is not finished yet: the user continues it.
      if (this.#isPasting || (this.edits && this.#lines.line !== "")) return;
      const text = this.#together.join("\n");
      const isAhead = this.#isAhead;
      this.#together = [];
      this.#isAhead = false;
      if (isAhead) this.#options.onStray(text);
      else this.#take(text);
    }, ms);
  }

  #take(line: string): void {
    const waiter = this.#waiters.at(-1);
    const isScript = !this.#options.input.isTTY;
    if (!waiter && isScript) {
      this.#queued.push(line);
      return;
    }
    if (isScript) this.#options.output.write(`${line}\n`);
    const text = waiter && !waiter.isMessage ? line : this.#draft.take(line);
    if (text === undefined) this.refresh();
    else if (waiter) this.#answer(waiter, text);
    else this.#options.onStray(text);
  }

  #answer(waiter: Waiter, text: string): void {
    this.#waiters.splice(this.#waiters.indexOf(waiter), 1);
    // Input without an open question has no prompt before it.
    this.#lines.setPrompt("");
    waiter.take(text);
    if (this.#held === "" || this.#waiters.at(-1)?.isMessage === false) return;
    this.#lines.write(this.#held);
    this.#held = "";
  }

  /** A message that is being typed waits until the question is answered. */
  #hold(): void {
    if (!this.edits || this.#lines.line === "") return;
    this.#held = this.#lines.line;
    this.#erase();
  }

  #erase(): void {
    if (this.#lines.line === "") return;
    this.#lines.write(null, { ctrl: true, name: "e" });
    this.#lines.write(null, { ctrl: true, name: "u" });
  }

  /** Lines that have already arrived, echoed because no terminal has done it; undefined if they are not enough. */
  #fromQueue(prompt: string, isMessage: boolean): string | undefined {
    const { input, output } = this.#options;
    // Text typed before a question was readable does not answer it.
    if (input.isTTY && !isMessage) return undefined;
    for (let shown = prompt; ; shown = CONTINUED) {
      const line = this.#queued.shift();
      if (line === undefined && !this.#hasEnded) return undefined;
      output.write(`${shown}${line ?? ""}\n`);
      if (line === undefined || !isMessage) return line ?? (isMessage ? this.#draft.end() : undefined);
      const message = this.#draft.take(line);
      if (message !== undefined) return message;
    }
  }

  #gone(): void {
    this.#hasEnded = true;
    clearTimeout(this.#pause);
    this.#draft.end();
    this.#options.onGone();
    for (const waiter of this.#waiters.splice(0)) waiter.take(undefined);
  }

  #end(): void {
    if (this.#hasEnded) return;
    this.#hasEnded = true;
    clearTimeout(this.#pause);
    // A closed terminal reads as if Ctrl+D had been pressed.
    if (this.#options.input.isTTY && !isatty(this.#options.input.fd)) {
      this.#gone();
      return;
    }
    const draft = this.#draft.end();
    for (const waiter of this.#waiters.splice(0)) waiter.take(waiter.isMessage ? draft : undefined);
    if (this.#options.input.isTTY) this.#options.onEnd();
  }
}
