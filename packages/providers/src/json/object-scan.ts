const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const OPENING: ReadonlySet<number> = new Set([0x7b, 0x5b]);
const CLOSING: ReadonlySet<number> = new Set([0x7d, 0x5d]);

/** Detects the end of a JSON object that arrives piece by piece. Examines each character once. */
export class ObjectScan {
  #depth = 0;
  #hasBegun = false;
  #isInString = false;
  #isEscaped = false;

  constructor(text: string) {
    this.add(text);
  }

  /** True if every brace is closed, even if it may not be valid JSON. */
  get isWhole(): boolean {
    return this.#hasBegun && this.#depth <= 0;
  }

  add(text: string): void {
    for (let at = 0; at < text.length; at += 1) this.#take(text.charCodeAt(at));
  }

  #take(code: number): void {
    if (this.#isEscaped) this.#isEscaped = false;
    else if (this.#isInString) {
      if (code === QUOTE) this.#isInString = false;
      else this.#isEscaped = code === BACKSLASH;
    } else if (code === QUOTE) this.#isInString = true;
    else if (OPENING.has(code)) {
      this.#hasBegun = true;
      this.#depth += 1;
    } else if (CLOSING.has(code)) this.#depth -= 1;
  }
}
