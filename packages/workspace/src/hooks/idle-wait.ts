/** The same as in Claude Code. */
const IDLE_AFTER_MS = 60_000;

/** Reports once if an agent has been idle so long that the user may have forgotten it. */
export class IdleWait {
  readonly #tell: () => void;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(tell: () => void) {
    this.#tell = tell;
  }

  update(isIdle: boolean): void {
    this.end();
    if (isIdle) this.#timer = setTimeout(this.#tell, IDLE_AFTER_MS).unref();
  }

  end(): void {
    clearTimeout(this.#timer);
  }
}
