import { constants } from "node:os";
import type { TerminalWatch } from "./terminal-watch.ts";
import { writeNow } from "./write-now.ts";

/** The parts of `process.stdin` that are used. */
export type ModesInput = {
  readonly isTTY?: boolean;
  setRawMode?(raw: boolean): unknown;
  on(event: "data", listener: (bytes: Uint8Array) => void): unknown;
  on(event: "end" | "error", listener: () => void): unknown;
  off(event: "data", listener: (bytes: Uint8Array) => void): unknown;
  off(event: "end" | "error", listener: () => void): unknown;
  resume(): unknown;
  pause(): unknown;
};

/** The parts of `process.stdout` that are used. */
export type ModesOutput = {
  readonly isTTY?: boolean;
  readonly fd: number;
  /** Bytes written but not yet taken. */
  readonly writableLength?: number;
  write(data: string): boolean;
  on(event: "error" | "resize", listener: () => void): unknown;
  off(event: "error" | "resize", listener: () => void): unknown;
};

/** Signals that end a program and can be caught. */
const endings = ["SIGHUP", "SIGINT", "SIGQUIT", "SIGTERM", "SIGALRM", "SIGUSR2", "SIGXCPU"] as const;
type Signal = (typeof endings)[number];
type ProcessEvent = Signal | "SIGTSTP" | "SIGCONT" | "exit" | "uncaughtExceptionMonitor";

/** The parts of `process` that are used. */
type ModesProcess = {
  readonly pid: number;
  on(event: ProcessEvent, listener: () => void): unknown;
  off(event: ProcessEvent, listener: () => void): unknown;
  kill(pid: number, signal: string): unknown;
  exit(code: number): unknown;
};

export type TerminalModesOptions = {
  input: ModesInput;
  output: ModesOutput;
  process: ModesProcess;
  /** Bytes of the keyboard, for the input parser. */
  onInput: (bytes: Uint8Array) => void;
  /** The size changed. */
  onResize: () => void;
  /** The program was stopped and continues: the screen has to be repainted. */
  onResume: () => void;
  /**
   * The program has to end with this exit code (a signal, or the terminal is gone: SIGHUP). The listener must `leave`
   * and exit. Without this the screen is restored and the process exits.
   */
  onSignal?: (code: number) => void;
};

const ESC = "\u001b[";
/** What the window hears of the mouse: nothing; the wheel, with which clicks come too; or drags as well. */
const mouseOn = { off: "", scroll: `${ESC}?1000h${ESC}?1006h`, full: `${ESC}?1002h${ESC}?1006h` } as const;
type MouseMode = keyof typeof mouseOn;
/** The terminal replies with the colour of its background (OSC 11, https://invisible-island.net/xterm/ctlseqs/ctlseqs.html). */
export const ASK_BACKGROUND = "\u001b]11;?\u001b\\";
const MOUSE_OFF = `${ESC}?1006l${ESC}?1002l${ESC}?1000l`;
/**
 * Alternate screen first: kitty keeps its keyboard modes per screen. Wrapping is off so that a character whose width
 * is disputed cannot spill into the next row. Then: pasted text in brackets, focus reports, Shift+Enter and the like from
 * xterm (4;1) and, with the base layout's key, from kitty (5); and the background's colour, now and whenever it changes.
 */
const ENTER = `${ESC}?1049h${ESC}?7l${ESC}?2004h${ESC}?1004h${ESC}>4;1m${ESC}>5u${ESC}?2031h${ASK_BACKGROUND}`;
/** Takes back one setting of kitty's keyboard, which are kept on a stack. */
const KEYS_OFF = `${ESC}<u`;
const LEAVE = `${ESC}?2026l${KEYS_OFF}${ESC}>4m${MOUSE_OFF}${ESC}?2031l${ESC}?1004l${ESC}?2004l${ESC}?7h${ESC}m${ESC}?25h${ESC}?1049l`;
/** The last query: everything sent before its reply has arrived by then. */
const ATTRIBUTES = `${ESC}c`;
const ATTRIBUTES_REPLY = /\[\?[\d;]*c/;
const REPLY_MS = 300;

/** Why a window cannot be opened here, as a sentence; undefined when it can. */
export function unfitTerminal(input: ModesInput, output: ModesOutput, term: string | undefined): string | undefined {
  if (!output.isTTY) return "The output is not a terminal.";
  if (!input.isTTY || !input.setRawMode) return "The input is not a terminal.";
  return term === "dumb" ? "The terminal cannot move its cursor (TERM=dumb)." : undefined;
}

/** Lets writes to a terminal queue up instead of holding the whole program while the terminal is slow. */
function setBlocking(output: ModesOutput, blocking: boolean): void {
  // Node makes terminals blocking and has no public switch; without it frames are only never skipped.
  const handle: unknown = Reflect.get(output, "_handle");
  if (typeof handle !== "object" || handle === null) return;
  const set: unknown = Reflect.get(handle, "setBlocking");
  if (typeof set === "function") set.call(handle, blocking);
}

/** The modes of the terminal while the window is open. They are undone on every way out, once. */
export class TerminalModes {
  readonly #options: TerminalModesOptions;
  #entered = false;
  #mouse: MouseMode = "full";
  #watch: TerminalWatch | undefined;
  readonly #listeners: readonly (readonly [ProcessEvent, () => void])[];

  constructor(options: TerminalModesOptions) {
    this.#options = options;
    this.#listeners = [
      ["exit", () => this.restoreNow()],
      // Before Node prints the error, which would be lost with the alternate screen. Rejections come this way too.
      ["uncaughtExceptionMonitor", () => this.restoreNow()],
      ...endings.map((signal) => [signal, () => this.#signal(signal)] as const),
      ["SIGTSTP", () => this.suspend()],
      ["SIGCONT", () => this.#resume()],
    ];
  }

  enter(): void {
    if (this.#entered) return;
    const { input, output, process } = this.#options;
    for (const [event, listener] of this.#listeners) process.on(event, listener);
    output.on("error", this.#gone);
    input.on("end", this.#gone);
    input.on("error", this.#gone);
    output.on("resize", this.#options.onResize);
    this.#open();
  }

  /** From now on the screen is restored after a SIGKILL, too. That takes a process: not before the first frame. */
  async watch(): Promise<void> {
    const { watchTerminal } = await import("./terminal-watch.ts");
    this.#watch ??= watchTerminal(this.#options.output, LEAVE);
    if (this.#entered) this.#watch.set();
  }

  /** A value of the setting `mouse`; any other counts as `full`. */
  hearMouse(setting: unknown): void {
    const mouse = setting === "off" || setting === "scroll" ? setting : "full";
    if (mouse === this.#mouse) return;
    this.#mouse = mouse;
    if (this.#entered) this.#options.output.write(MOUSE_OFF + mouseOn[mouse]);
  }

  /** The normal way out. Resolves when no reply of the terminal can reach the shell any more. */
  async leave(): Promise<void> {
    if (!this.#entered) return;
    const { input, output } = this.#options;
    input.off("data", this.#options.onInput);
    const quiet = this.#untilQuiet();
    // Behind the frames that wait: they must not come after it.
    output.write(LEAVE + ATTRIBUTES);
    await quiet;
    if (!this.#entered) return;
    if (output.writableLength) writeNow(output, LEAVE);
    this.#left();
    this.#release();
  }

  /** The same synchronously, for exits that cannot wait. Does nothing the second time; never throws. */
  restoreNow(): void {
    if (!this.#entered) return;
    writeNow(this.#options.output, LEAVE);
    this.#left();
    this.#options.input.off("data", this.#options.onInput);
    this.#release();
  }

  /** Gives the terminal back to the shell and stops the process; calls `onResume` when it continues. */
  suspend(): void {
    const { input, output, process } = this.#options;
    if (this.#entered) {
      writeNow(output, LEAVE);
      this.#left();
      input.off("data", this.#options.onInput);
      this.#setRaw(false);
      setBlocking(output, true);
    }
    process.kill(process.pid, "SIGSTOP");
  }

  #resume(): void {
    // After a SIGSTOP, which cannot be seen, a shell had the terminal too: all is set anew. Node thinks that raw mode
    // was never left, and only sets it when it was.
    if (this.#entered) {
      this.#options.input.off("data", this.#options.onInput);
      this.#setRaw(false);
      this.#options.output.write(KEYS_OFF);
    }
    this.#open();
    this.#options.onResume();
  }

  #left(): void {
    this.#entered = false;
    this.#watch?.undone();
  }

  #open(): void {
    const { input, output } = this.#options;
    this.#entered = true;
    this.#watch?.set();
    this.#setRaw(true);
    setBlocking(output, false);
    input.on("data", this.#options.onInput);
    input.resume();
    output.write(ENTER + mouseOn[this.#mouse]);
  }

  #release(): void {
    const { input, output, process } = this.#options;
    for (const [event, listener] of this.#listeners) process.off(event, listener);
    input.off("end", this.#gone);
    input.off("error", this.#gone);
    output.off("resize", this.#options.onResize);
    this.#setRaw(false);
    // Lines for the shell are written whole, but not to a terminal that does not read.
    if (!output.writableLength) setBlocking(output, true);
    input.pause();
  }

  #setRaw(raw: boolean): void {
    try {
      this.#options.input.setRawMode?.(raw);
    } catch {
      // The terminal is gone, and its modes with it.
    }
  }

  readonly #gone = (): void => {
    if (this.#entered) this.#signal("SIGHUP");
  };

  #signal(signal: Signal): void {
    const { onSignal, process } = this.#options;
    const code = 128 + constants.signals[signal];
    if (onSignal) {
      onSignal(code);
      return;
    }
    this.restoreNow();
    process.exit(code);
  }

  /** Swallows replies of the terminal until the last query is answered or timed out. */
  #untilQuiet(): Promise<void> {
    const { input } = this.#options;
    return new Promise((resolve) => {
      let reply = "";
      const done = (): void => {
        clearTimeout(timer);
        input.off("data", swallow);
        resolve();
      };
      const swallow = (bytes: Uint8Array): void => {
        reply = (reply + Buffer.from(bytes).toString("latin1")).slice(-64);
        if (ATTRIBUTES_REPLY.test(reply)) done();
      };
      const timer = setTimeout(done, REPLY_MS);
      input.on("data", swallow);
    });
  }
}
