import type { ColourLevel } from "../text/colour-level.ts";
import type { Theme } from "../theme/theme.ts";
import type { Frame } from "./frame.ts";
import { Painter, type PainterOptions } from "./painter.ts";

/**
 * The part of a stream the presenter needs: `write` returns false if the reader lags, and `drain` follows. `taken` is
 * called once the data has left this process.
 */
export type TerminalOutput = {
  write(data: string, taken: (error?: Error | null) => void): boolean;
  once(event: "drain", listener: () => void): unknown;
  readonly columns?: number | undefined;
  readonly rows?: number | undefined;
};

/** Monotonic milliseconds and one-shot timers. */
export type FrameClock = { now(): number; set(ms: number, due: () => void): unknown; clear(handle: unknown): void };

/** `key`: a user is waiting for it; painted in the next microtask. `stream`: it may wait for the frame clock. */
export type FrameReason = "key" | "stream";

/** Computes the bytes that make the terminal show the next frame. */
export type FramePainter = {
  paint(frame: Frame): string;
  /** Makes the next frame write every cell. */
  invalidate(): void;
};

type FrameWrite = { isTaken: boolean; taken: Frame["taken"] };

export type PresenterOptions = {
  output: TerminalOutput;
  theme: Theme;
  colours: ColourLevel;
  /** Shortest time between two frames of a stream. */
  frameMs?: number;
  clock?: FrameClock;
};

const wallClock: FrameClock = {
  now: () => performance.now(),
  set: (ms, due) => setTimeout(due, ms),
  clear: (handle) => clearTimeout(handle as NodeJS.Timeout),
};

/** Decides when a frame is drawn, and writes it whole. While the terminal lags, frames are skipped, never queued. */
export class Presenter {
  readonly #options: Required<PresenterOptions>;
  #painter: FramePainter;
  #makePainter: (options: PainterOptions) => FramePainter = (options) => new Painter(options);
  #theme: Theme;
  #size: { columns: number; rows: number };
  #draw: (() => Frame) | undefined;
  #soon = false;
  #timer: unknown;
  #lastFrame = Number.NEGATIVE_INFINITY;
  /** The terminal has not accepted the last frame yet. */
  #lagging = false;
  #missed = false;
  /** The last frame that was written; a frame that needs no bytes changes nothing on the screen. */
  #last: FrameWrite = { isTaken: true, taken: undefined };
  /** Another program has the terminal. */
  #isPaused = false;
  /** For benchmarks; `skipped`: frames that were due while the terminal lagged. */
  readonly stats = { frames: 0, bytes: 0, skipped: 0 };

  constructor(options: PresenterOptions) {
    this.#options = { frameMs: 33, clock: wallClock, ...options };
    this.#size = sizeOf(options.output);
    this.#theme = options.theme;
    this.#painter = this.#newPainter();
  }

  get size(): { readonly columns: number; readonly rows: number } {
    return this.#size;
  }

  /** `draw` is called whenever a frame is due; the first one is painted at once. */
  start(draw: () => Frame): void {
    this.#draw = draw;
    this.#paint();
  }

  /** Stops painting. */
  stop(): void {
    this.#draw = undefined;
    this.#options.clock.clear(this.#timer);
    this.#timer = undefined;
  }

  /** Another program gets the terminal: nothing is written until `resume`. */
  pause(): void {
    this.#isPaused = true;
  }

  /** The terminal is back: the next frame writes every cell. */
  resume(): void {
    this.#isPaused = false;
    this.repaint();
  }

  requestFrame(reason: FrameReason): void {
    if (!this.#draw || this.#soon) return;
    if (reason === "key") {
      this.#soon = true;
      queueMicrotask(() => {
        this.#soon = false;
        this.#paint();
      });
      return;
    }
    if (this.#timer !== undefined) return;
    const { clock, frameMs } = this.#options;
    this.#timer = clock.set(Math.max(0, this.#lastFrame + frameMs - clock.now()), () => {
      this.#timer = undefined;
      this.#paint();
    });
  }

  /** The terminal's size may have changed: reads it, forgets the screen and requests a frame. */
  resize(): void {
    this.#size = sizeOf(this.#options.output);
    this.#painter = this.#newPainter();
    this.requestFrame("key");
  }

  /** Changes the colours from the next frame on. */
  show(theme: Theme): void {
    this.#theme = theme;
    this.#painter = this.#newPainter();
    this.requestFrame("key");
  }

  /** Another program may have written to the screen: the next frame writes every cell. */
  repaint(): void {
    this.#painter.invalidate();
    this.requestFrame("key");
  }

  /** Uses these painters from the next frame on, one per terminal size. */
  paintWith(make: (options: PainterOptions) => FramePainter): void {
    this.#makePainter = make;
    this.#painter = this.#newPainter();
    this.requestFrame("key");
  }

  #newPainter(): FramePainter {
    return this.#makePainter({ ...this.#size, theme: this.#theme, colours: this.#options.colours });
  }

  #paint(): void {
    if (!this.#draw || this.#isPaused) return;
    if (this.#lagging) {
      this.stats.skipped += 1;
      this.#missed = true;
      return;
    }
    this.#lastFrame = this.#options.clock.now();
    const frame = this.#draw();
    const bytes = this.#painter.paint(frame);
    if (bytes === "") {
      this.#last.taken = frame.taken;
      if (this.#last.isTaken) frame.taken?.();
      return;
    }
    this.stats.frames += 1;
    this.stats.bytes += Buffer.byteLength(bytes);
    if (this.#write(bytes, frame)) return;
    this.#lagging = true;
    this.#options.output.once("drain", () => {
      this.#lagging = false;
      if (!this.#missed) return;
      this.#missed = false;
      this.#paint();
    });
  }

  #write(bytes: string, { taken }: Frame): boolean {
    const written: FrameWrite = { isTaken: false, taken };
    this.#last = written;
    return this.#options.output.write(bytes, (error) => {
      if (error) return;
      written.isTaken = true;
      written.taken?.();
    });
  }
}

function sizeOf({ columns, rows }: TerminalOutput): { columns: number; rows: number } {
  return { columns: Math.max(1, columns || 80), rows: Math.max(1, rows || 24) };
}
