import type { AnswerGuard } from "./answer-guard.ts";

/** Calls back once the terminal has processed everything written so far; possibly never. */
export type Acknowledge = (processed: () => void) => void;

/** A terminal that has not answered within this time is asked again with the next frame. */
const ASK_AGAIN_MS = 1000;

/**
 * Tracks which part of the focused dialog the terminal has shown. A layout alone does not count: only a frame that was
 * written, taken by the terminal and, if the terminal reports it, processed.
 */
export class DialogVisibility<D extends object> {
  readonly #arming: AnswerGuard;
  readonly #acknowledge: Acknowledge;
  #shown: D | undefined;
  /** Counts how often the dialog went out of view. */
  #turn = 0;
  /** The times of acknowledgements: that the dialog is in view (""), and the ends of texts in it. */
  readonly #acknowledged = new Map<string, number>();
  readonly #askedAt = new Map<string, number>();

  constructor(arming: AnswerGuard, acknowledge: Acknowledge) {
    this.#arming = arming;
    this.#acknowledge = acknowledge;
  }

  /**
   * The terminal has taken a frame with the dialog. `end`: the key of the end that the frame shows; undefined: there is
   * more below. `inView` is called when the dialog comes into view.
   */
  frameTaken(dialog: D, end: string | undefined, inView: () => void): void {
    this.#shown = dialog;
    this.#confirm("", inView);
    if (end !== undefined) this.#confirm(end);
  }

  /** It is covered, or the terminal shows something else: it must be shown again. Texts that were read stay read. */
  hide(): void {
    this.#turn += 1;
    this.#shown = undefined;
    this.#acknowledged.delete("");
    this.#askedAt.clear();
  }

  /** Another dialog replaces it. */
  reset(): void {
    this.hide();
    this.#acknowledged.clear();
  }

  /** True if the screen shows the dialog's current state, so that the user sees the effect of Enter. */
  shows(dialog: D): boolean {
    return this.#shown === dialog;
  }

  /** True if this end was on the screen long enough to be read. */
  wasRead(end: string): boolean {
    const at = this.#acknowledged.get(end);
    return at !== undefined && this.#arming.wasInView(at);
  }

  #confirm(what: string, first: () => void = () => undefined): void {
    const now = this.#arming.clock.now();
    const askedAt = this.#askedAt.get(what);
    if (this.#acknowledged.has(what) || (askedAt !== undefined && now - askedAt < ASK_AGAIN_MS)) return;
    this.#askedAt.set(what, now);
    const turn = this.#turn;
    this.#acknowledge(() => {
      if (turn !== this.#turn || this.#acknowledged.has(what)) return;
      this.#acknowledged.set(what, this.#arming.clock.now());
      first();
    });
  }
}
