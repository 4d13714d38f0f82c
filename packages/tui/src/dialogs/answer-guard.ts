import type { InputEvent } from "../input/index.ts";
import type { WindowClock } from "../state/clock.ts";

/** A dialog accepts no answer until the terminal has shown it for this long … */
const VISIBLE_MS = 200;
/** … and until nothing was typed for this long: a word begun before the dialog appeared must not answer it. */
const QUIET_MS = 400;

/** Nobody pauses for so long within a word: a key after it is about what is in view. */
const LONG_MS = 1000;

/** Decides when a key may answer a newly shown dialog. */
export class AnswerGuard {
  readonly clock: WindowClock;
  #typedAtMs = Number.NEGATIVE_INFINITY;
  #pastedAtMs = Number.NEGATIVE_INFINITY;

  constructor(clock: WindowClock) {
    this.clock = clock;
  }

  /** A key went into the composer. */
  typed(): void {
    this.#typedAtMs = this.clock.now();
  }

  /**
   * True for events at a dialog that are not answers: a paste, and keys so soon after one that they may belong to it
   * (pasted text may contain the paste's end mark).
   */
  isPasted(event: InputEvent): boolean {
    if (event.type !== "key" && event.type !== "paste") return false;
    const isPaste = event.type === "paste" || this.clock.now() - this.#pastedAtMs < QUIET_MS;
    if (isPaste) this.#pastedAtMs = this.clock.now();
    return isPaste;
  }

  /** True if a key pressed now follows one at `sinceMs` without a pause. */
  isAtOnce(sinceMs: number): boolean {
    return this.clock.now() - sinceMs < QUIET_MS;
  }

  /** True if a key pressed now follows one at `sinceMs` after a pause that ends a word. */
  isLongAfter(sinceMs: number): boolean {
    return this.clock.now() - sinceMs >= LONG_MS;
  }

  /** True if the last key in the composer was long enough ago for the next one to be meant for a dialog. */
  isQuiet(): boolean {
    return this.clock.now() - this.#typedAtMs >= QUIET_MS;
  }

  /** Calls `armed` once a dialog that appears now may be answered. Returns a function that cancels it. */
  whenReady(armed: () => void, quietMs = QUIET_MS): () => void {
    return this.#after(VISIBLE_MS, armed, quietMs);
  }

  /** True if something that came into view at `sinceMs` was visible long enough to be read. */
  wasInView(sinceMs: number): boolean {
    return this.clock.now() - sinceMs >= VISIBLE_MS;
  }

  #after(ms: number, armed: () => void, quietMs: number): () => void {
    let stop = this.clock.after(ms, () => {
      const quiet = this.clock.now() - Math.max(this.#typedAtMs, this.#pastedAtMs);
      if (quiet >= quietMs) return armed();
      stop = this.#after(quietMs - quiet, armed, quietMs);
    });
    return () => stop();
  }
}
