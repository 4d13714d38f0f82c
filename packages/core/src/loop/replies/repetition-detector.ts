/** Blocks shorter than this that follow each other are a repetition. */
const MAX_BLOCK = 400;
/** How often the end of a text is examined, as a fraction (1/n) of the characters that must repeat. */
const LOOKS = 8;

/** A text that repeats a block up to its end: the repetition begins at `from`. */
export type Repetition = { from: number; block: number };

/**
 * Detects, while a text arrives, that its end only repeats one block, for at least `chars` characters and twenty
 * blocks. Lines that are similar but not identical do not count. Linear.
 */
export class RepetitionDetector {
  readonly #chars: number;
  /** The end of the text, as much as must repeat, and the text since the last check. */
  #tail = "";
  #unseen = 0;

  constructor(chars: number) {
    this.#chars = chars;
  }

  /** Takes the next piece. `whole`: the whole text so far; it is called only if a repetition was found. */
  take(piece: string, whole: () => string): Repetition | undefined {
    this.#tail += piece;
    this.#unseen += piece.length;
    if (this.#tail.length < this.#chars || this.#unseen < this.#chars / LOOKS) return undefined;
    this.#unseen = 0;
    this.#tail = this.#tail.slice(-this.#chars);
    // A repeating tail also has a repeating end. Nearly every text fails this cheap test.
    if (periodOf(this.#tail.slice(-3 * MAX_BLOCK)) > MAX_BLOCK) return undefined;
    const block = periodOf(this.#tail);
    if (block > MAX_BLOCK || block * 20 > this.#chars) return undefined;
    const text = whole();
    let from = text.length - this.#chars;
    while (from > 0 && text[from - 1] === text[from - 1 + block]) from -= 1;
    return { from, block };
  }

  /** A new text begins. */
  reset(): void {
    this.#tail = "";
    this.#unseen = 0;
  }
}

/** The length of the shortest block that the whole text repeats; the text's own length if it repeats none. */
function periodOf(text: string): number {
  // The longest beginning that is also an end, for each beginning of the text (Knuth, Morris and Pratt).
  const borders = new Uint32Array(text.length);
  let border = 0;
  for (let at = 1; at < text.length; at += 1) {
    while (border > 0 && text[at] !== text[border]) border = borders[border - 1] ?? 0;
    if (text[at] === text[border]) border += 1;
    borders[at] = border;
  }
  return text.length - border;
}

/** The text with two of the blocks, and a note in place of the others. */
export function withoutRepetition(text: string, { from, block }: Repetition): string {
  return `${text.slice(0, from + 2 * block).trimEnd()}\n\n[The model repeated this, and was stopped.]`;
}
