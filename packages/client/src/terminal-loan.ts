/** How long after the other program's end its signals may still arrive: a busy machine delivers them late. */
const LATE_MS = 500;

/**
 * The terminal while another program has it. The terminal sends the signals of Ctrl+C and Ctrl+\ to every program, but
 * they are meant for the one that has the terminal.
 */
export class TerminalLoan {
  readonly #now: () => number;
  #isLent = false;
  #endedAt = Number.NEGATIVE_INFINITY;

  /** The clock is in ms and never goes back. */
  constructor(now = () => performance.now()) {
    this.#now = now;
  }

  get isLent(): boolean {
    return this.#isLent;
  }

  /** Whether a signal of the keyboard is meant for the other program. */
  get takesKeys(): boolean {
    return this.#isLent || this.#now() - this.#endedAt < LATE_MS;
  }

  begin(): void {
    this.#isLent = true;
  }

  end(): void {
    this.#isLent = false;
    this.#endedAt = this.#now();
  }
}
