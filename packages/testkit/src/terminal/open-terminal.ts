import { type IPty, spawn } from "@lydell/node-pty";
import { screenshotPng, screenshotSvg, terminalColours } from "./terminal-picture.ts";
import { VirtualScreen } from "./virtual-screen.ts";

export type TerminalOptions = {
  command: string;
  args?: readonly string[];
  /** Added to PATH, HOME, LANG and a terminal with all colours; nothing else of this process is passed on. */
  env?: Readonly<Record<string, string>>;
  cwd?: string;
  cols?: number;
  rows?: number;
  /** The background that the terminal reports to the program, and that screenshots have. */
  background?: "dark" | "light";
  /** The answer to a query of the program, in place of the terminal's own reply: simulates a different terminal. */
  answer?(reply: string): string;
};

const sequences: Readonly<Record<string, string>> = {
  enter: "\r",
  tab: "\t",
  escape: "\u001b",
  space: " ",
  backspace: "\u007f",
  delete: "\u001b[3~",
  insert: "\u001b[2~",
  up: "\u001b[A",
  down: "\u001b[B",
  right: "\u001b[C",
  left: "\u001b[D",
  home: "\u001b[H",
  end: "\u001b[F",
  pageup: "\u001b[5~",
  pagedown: "\u001b[6~",
};
const codes: Readonly<Record<string, number>> = { enter: 13, tab: 9, escape: 27, space: 32, backspace: 127 };

/** `ctrl+c`, `shift+enter`, `alt+left`, `pageup` … as a modern terminal sends them. */
function sequenceOf(name: string): string {
  const parts = name.split("+");
  const base = parts.pop() || "+";
  const modifier =
    1 + (parts.includes("shift") ? 1 : 0) + (parts.includes("alt") ? 2 : 0) + (parts.includes("ctrl") ? 4 : 0);
  const plain = sequences[base] ?? (base.length === 1 ? base : undefined);
  if (plain === undefined) throw new Error(`no such key: ${name}`);
  if (modifier === 1) return plain;
  if (modifier === 5 && /^[a-z]$/.test(base)) return String.fromCharCode(base.charCodeAt(0) - 96);
  if (modifier === 3 && base.length === 1) return `\u001b${base}`;
  const code = codes[base] ?? (base.length === 1 ? base.charCodeAt(0) : undefined);
  if (code !== undefined) return `\u001b[${code};${modifier}u`;
  const final = plain.slice(-1);
  return final === "~" ? `${plain.slice(0, -1)};${modifier}~` : `\u001b[1;${modifier}${final}`;
}

type Waiter = { name: string; met: () => boolean; done: (reason?: string) => void };

/** A program in a pseudo-terminal, and what a user would see of it. */
export class OpenTerminal {
  readonly screenModel: VirtualScreen;
  /** Resolves when the program has ended and its last output is on the screen. */
  readonly exit: Promise<{ code: number; signal: number | undefined }>;
  readonly #pty: IPty;
  readonly #waiters = new Set<Waiter>();
  readonly #background: "dark" | "light";
  #output = "";
  #ended = false;

  constructor(options: TerminalOptions) {
    const { command, args = [], env = {}, cwd = process.cwd(), cols = 100, rows = 32, background = "dark" } = options;
    const { answer = (reply: string) => reply } = options;
    this.#background = background;
    this.screenModel = new VirtualScreen({ columns: cols, rows, scrollback: 1000 });
    const told = background === "light" ? { COLORFGBG: "0;15" } : {};
    const { PATH = "", HOME = "", LANG = "C.UTF-8" } = process.env;
    this.#pty = spawn(command, [...args], {
      name: "xterm-256color",
      cols,
      rows,
      cwd,
      env: { PATH, HOME, LANG, TERM: "xterm-256color", COLORTERM: "truecolor", ...told, ...env },
    });
    this.screenModel.onReply((data) => this.#pty.write(answer(data)));
    let drawn: Promise<void> = Promise.resolve();
    this.#pty.onData((data) => {
      this.#output += data;
      drawn = this.screenModel.write(data).then(() => this.#check());
    });
    this.exit = new Promise((resolve) => {
      this.#pty.onExit(({ exitCode, signal }) => {
        this.#ended = true;
        void drawn.then(() => {
          this.#check();
          resolve({ code: exitCode, signal });
        });
      });
    });
  }

  get pid(): number {
    return this.#pty.pid;
  }

  /** Everything the program has written, including escape sequences. */
  get rawOutput(): string {
    return this.#output;
  }

  get bytesWritten(): number {
    return Buffer.byteLength(this.#output);
  }

  /** The visible rows, without trailing blanks. */
  screen(): string[] {
    return this.screenModel.lines();
  }

  /**
   * Resolves as soon as the screen contains the text, or the predicate over its rows holds; checked after each output
   * that leaves a complete frame. Rejects after `timeoutMs`, or if the program ends before, and shows the screen.
   */
  waitFor(wanted: string | RegExp | ((rows: string[]) => boolean), timeoutMs = 60_000): Promise<void> {
    const met = (): boolean => {
      const rows = this.screen();
      if (typeof wanted === "function") return wanted(rows);
      return typeof wanted === "string" ? rows.some((row) => row.includes(wanted)) : wanted.test(rows.join("\n"));
    };
    const name = typeof wanted === "function" ? "the predicate" : String(wanted);
    // Created here, so that its stack names the line of the waiting test.
    const failure = new Error();
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => waiter.done(`${name} did not appear in ${timeoutMs} ms`), timeoutMs);
      const waiter: Waiter = {
        name,
        met,
        done: (reason) => {
          clearTimeout(timer);
          this.#waiters.delete(waiter);
          if (reason === undefined) return resolve();
          failure.message = `${reason}; the screen:\n${this.screen().join("\n").trimEnd()}`;
          reject(failure);
        },
      };
      this.#waiters.add(waiter);
      this.#check();
    });
  }

  #check(): void {
    if (this.screenModel.isUpdating && !this.#ended) return;
    for (const waiter of [...this.#waiters]) {
      if (waiter.met()) waiter.done();
      else if (this.#ended) waiter.done(`the program has ended before ${waiter.name} appeared`);
    }
  }

  /** Sends text unchanged. */
  type(text: string): void {
    this.#pty.write(text);
  }

  /** Sends a key by its name: `enter`, `ctrl+c`, `shift+tab` … */
  press(...keys: string[]): void {
    for (const key of keys) this.#pty.write(sequenceOf(key));
  }

  /** Pastes like a terminal: in brackets if the program asked for them, newlines as \r. */
  paste(text: string): void {
    const data = text.replace(/\n/g, "\r");
    this.#pty.write(this.screenModel.modes.bracketedPaste ? `\u001b[200~${data}\u001b[201~` : data);
  }

  resize(cols: number, rows: number): void {
    this.screenModel.resize(cols, rows);
    this.#pty.resize(cols, rows);
  }

  /** The terminal stops reading, as over a slow line; `resume` continues. */
  pause(): void {
    this.#pty.pause();
  }
  resume(): void {
    this.#pty.resume();
  }

  kill(signal = "SIGTERM"): void {
    this.#pty.kill(signal);
  }

  /** Closes the terminal under the program, as when its window is closed or a connection breaks. */
  hangUp(): void {
    (this.#pty as IPty & { destroy(): void }).destroy();
  }

  /** Ends the program if it still runs. */
  async close(): Promise<void> {
    if (!this.#ended) this.#pty.kill("SIGKILL");
    await this.exit;
  }

  screenshotSvg(): string {
    return screenshotSvg(this.screenModel, terminalColours[this.#background]);
  }

  screenshotPng(): Promise<Uint8Array> {
    return screenshotPng(this.screenModel, terminalColours[this.#background]);
  }
}

export function openTerminal(options: TerminalOptions): OpenTerminal {
  return new OpenTerminal(options);
}
