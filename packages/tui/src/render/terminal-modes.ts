import { constants } from "node:os";
import { TerminalLoan } from "@harness/client/terminal-loan";
import { setBlocking } from "./modes/blocking.ts";
import { ATTRIBUTES, untilQuiet } from "./modes/last-replies.ts";
import {
  KEYS_OFF,
  KEYS_ON,
  MOUSE_OFF,
  type MouseMode,
  mouseOn,
  screenModes,
  TITLE_BACK,
} from "./modes/screen-modes.ts";
import type { ModesInput, ModesOutput } from "./modes/terminal-streams.ts";
import type { TerminalWatch } from "./terminal-watch.ts";
import { writeNow } from "./write-now.ts";

/** `unstopped`: no shell would continue it, so the system did not stop it. `unseen`: by a signal that it did not ask for. */
export type Resumption = "suspended" | "unstopped" | "unseen";

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
  /** Bytes from the keyboard, for the input parser. */
  onInput: (bytes: Uint8Array) => void;
  /** The size changed. */
  onResize: () => void;
  /** The program was stopped and continues, or could not be stopped: the screen has to be repainted. */
  onResume: (how: Resumption) => void;
  /**
   * The program has to end with this exit code (after a signal; SIGHUP if the terminal has been closed). The listener
   * must call `leave` and exit. Without a listener the screen is restored and the process exits.
   */
  onSignal?: (code: number) => void;
  /** An additional sequence to undo on every way out. */
  undo?: string;
  /** Whether to ask for the keyboard protocols at first; default true. */
  hasKeys?: boolean;
};

/** The system stops a process at once; this much later it was not stopped. */
const STOP_MS = 150;

/** Rows of an inline window on the screen. */
export type InlineRows = {
  /** The bytes that erase the rows; empty if there are none. */
  erase(): string;
};

/** The terminal modes while the window is open. They are undone exactly once, on every way out. */
export class TerminalModes {
  readonly #options: TerminalModesOptions;
  #entered = false;
  readonly #loan = new TerminalLoan();
  #mouse: MouseMode = "full";
  #hasKeys: boolean;
  #watch: TerminalWatch | undefined;
  /** Absent if the window uses the alternate screen. */
  #inline: InlineRows | undefined;
  /** Set while a suspension is asked for and has not taken place. */
  #suspending: NodeJS.Timeout | undefined;
  readonly #listeners: readonly (readonly [ProcessEvent, () => void])[];

  constructor(options: TerminalModesOptions) {
    this.#options = options;
    this.#hasKeys = options.hasKeys ?? true;
    this.#listeners = [
      ["exit", () => this.restoreNow()],
      // Runs before Node prints the error, which would be lost with the alternate screen. Rejections come this way too.
      ["uncaughtExceptionMonitor", () => this.restoreNow()],
      ...endings.map((signal) => [signal, () => this.#signal(signal)] as const),
      ["SIGTSTP", this.#stop],
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

  /** From now on the window is drawn below the terminal's contents; the terminal handles the mouse. */
  drawInline(rows: InlineRows): void {
    if (this.#inline) return;
    const before = this.#leave;
    this.#inline = rows;
    if (!this.#entered) return;
    this.#options.output.write(before + this.#enter);
    if (!this.#watch) return;
    this.#watch.undone();
    this.#watch = undefined;
    void this.watch();
  }

  get #enter(): string {
    const keys = this.#hasKeys ? KEYS_ON : "";
    return this.#inline ? screenModes.inline.enter + keys : screenModes.full.enter + keys + mouseOn[this.#mouse];
  }

  get #leave(): string {
    const undo = this.#options.undo ?? "";
    // Before the alternate screen is left: kitty keeps its keyboard modes per screen.
    const keys = this.#hasKeys ? KEYS_OFF : "";
    return this.#inline
      ? this.#inline.erase() + keys + screenModes.inline.leave + undo
      : keys + screenModes.full.leave + undo;
  }

  /**
   * From now on the screen is restored even after a SIGKILL. That needs a process, so it is not done before the first
   * frame.
   */
  async watch(): Promise<void> {
    const { watchTerminal } = await import("./terminal-watch.ts");
    const leave = this.#inline ? `\r\n${KEYS_OFF}${screenModes.inline.leave}` : KEYS_OFF + screenModes.full.leave;
    this.#watch ??= watchTerminal(this.#options.output, leave + (this.#options.undo ?? ""));
    if (this.#entered) this.#watch.set();
  }

  /** A value of the setting `mouse`; any other counts as `full`. */
  hearMouse(setting: unknown): void {
    const mouse = setting === "off" || setting === "scroll" ? setting : "full";
    if (mouse === this.#mouse) return;
    this.#mouse = mouse;
    if (this.#entered && !this.#inline) this.#options.output.write(MOUSE_OFF + mouseOn[mouse]);
  }

  /** Asks for the keyboard protocols, or no longer. */
  askForKeys({ hasKeys }: { hasKeys: boolean }): void {
    if (hasKeys === this.#hasKeys) return;
    this.#hasKeys = hasKeys;
    if (this.#entered) this.#options.output.write(hasKeys ? KEYS_ON : KEYS_OFF);
  }

  /** The normal way out. Resolves once replies of the terminal can no longer reach the shell. */
  async leave(): Promise<void> {
    if (!this.#entered) return;
    const { input, output } = this.#options;
    input.off("data", this.#options.onInput);
    const quiet = untilQuiet(input);
    // Queued after the waiting frames, which must not follow it.
    output.write(this.#leave + ATTRIBUTES);
    await quiet;
    if (!this.#entered) return;
    if (output.writableLength) writeNow(output, this.#leave);
    this.#left();
    this.#release();
  }

  /** Does the same synchronously, for exits that cannot wait. Does nothing the second time; never throws. */
  restoreNow(): void {
    if (!this.#entered) return;
    writeNow(this.#options.output, this.#leave);
    this.#left();
    this.#options.input.off("data", this.#options.onInput);
    this.#release();
  }

  /**
   * Gives the terminal back to the shell and stops the process group, as the terminal itself does for Ctrl+Z; calls
   * `onResume` when it continues. The kernel stops no group that nothing could continue.
   */
  suspend(): void {
    const { input, output, process } = this.#options;
    if (this.#entered) {
      writeNow(output, this.#leave);
      this.#left();
      input.off("data", this.#options.onInput);
      this.#setRaw(false);
      setBlocking(output, { blocking: true });
    }
    process.off("SIGTSTP", this.#stop);
    clearTimeout(this.#suspending);
    // A process that was stopped hears of its continuation before this.
    this.#suspending = setTimeout(() => setImmediate(() => this.#goOn("unstopped")), STOP_MS);
    process.kill(0, "SIGTSTP");
  }

  readonly #stop = (): void => this.suspend();

  #goOn(how: Resumption): void {
    if (how === "unstopped" && this.#suspending === undefined) return;
    if (this.#suspending !== undefined) this.#options.process.on("SIGTSTP", this.#stop);
    clearTimeout(this.#suspending);
    this.#suspending = undefined;
    this.#open();
    this.#options.onResume(how);
  }

  /** Gives the terminal to another program until the promise settles. Input in the meantime goes to that program. */
  async lend<T>(use: () => Promise<T>): Promise<T> {
    const { input, output } = this.#options;
    writeNow(output, this.#leave);
    this.#left();
    input.off("data", this.#options.onInput);
    input.pause();
    this.#setRaw(false);
    setBlocking(output, { blocking: true });
    this.#loan.begin();
    try {
      return await use();
    } finally {
      this.#loan.end();
      this.#open();
    }
  }

  #resume(): void {
    // Both were stopped: the terminal still belongs to the other program.
    if (this.#loan.isLent) return;
    // After a SIGSTOP, which cannot be detected, the shell had the terminal too, so everything is set again. Node
    // believes raw mode was never left, and only sets it after it was unset.
    if (this.#entered) {
      this.#options.input.off("data", this.#options.onInput);
      this.#setRaw(false);
      this.#options.output.write((this.#hasKeys ? KEYS_OFF : "") + TITLE_BACK);
    }
    this.#goOn(this.#suspending === undefined ? "unseen" : "suspended");
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
    setBlocking(output, { blocking: false });
    input.on("data", this.#options.onInput);
    input.resume();
    output.write(this.#enter);
  }

  #release(): void {
    const { input, output, process } = this.#options;
    for (const [event, listener] of this.#listeners) process.off(event, listener);
    input.off("end", this.#gone);
    input.off("error", this.#gone);
    output.off("resize", this.#options.onResize);
    this.#setRaw(false);
    // Output for the shell is written whole, but not to a terminal that does not read.
    if (!output.writableLength) setBlocking(output, { blocking: true });
    input.pause();
  }

  #setRaw(raw: boolean): void {
    try {
      this.#options.input.setRawMode?.(raw);
    } catch {
      // The terminal has been closed, so there are no modes to undo.
    }
  }

  readonly #gone = (): void => {
    if (this.#entered) this.#signal("SIGHUP");
  };

  #signal(signal: Signal): void {
    if (this.#loan.takesKeys && (signal === "SIGINT" || signal === "SIGQUIT")) return;
    const { onSignal, process } = this.#options;
    const code = 128 + constants.signals[signal];
    if (onSignal) {
      onSignal(code);
      return;
    }
    this.restoreNow();
    process.exit(code);
  }
}
