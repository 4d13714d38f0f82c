/** The protocol knows no pieces of output: each update has all that is shown, so the end of long output is. */
const MAX_SHOWN = 8_000;
const EVERY_MS = 250;

/** The output of a running command, shown a few times a second. */
export class OutputStream {
  readonly #show: (text: string) => void;
  #tail = "";
  #length = 0;
  #timer: NodeJS.Timeout | undefined;

  constructor(show: (text: string) => void) {
    this.#show = show;
  }

  add(offset: number, text: string): void {
    // A gap, where chunks were dropped, is not worth a request: the result has everything.
    const more = text.slice(Math.max(0, this.#length - offset));
    this.#length = Math.max(this.#length, offset + text.length);
    if (more === "") return;
    const all = this.#tail + more;
    this.#tail = all.length > MAX_SHOWN ? `…${all.slice(1 - MAX_SHOWN).toWellFormed()}` : all;
    this.#timer ??= setTimeout(() => {
      this.#timer = undefined;
      this.#show(this.#tail);
    }, EVERY_MS);
  }

  close(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
  }
}
