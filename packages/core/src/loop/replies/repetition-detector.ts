/** Shorter blocks than this that follow each other are a repetition. */
const MAX_BLOCK = 400;
/** So often the new end of a text is looked at, as a share of what must repeat. */
const LOOKS = 8;

/** A text that repeats a block up to its end: the repetition begins at `from`. */
export type Repetition = { from: number; block: number };

/**
 * Finds out while a text arrives that its end is nothing but the same block again and again, for at least `chars`
 * characters, which are twenty blocks or more. Lines that are alike, but not the same, are none. Linear.
 */
export class RepetitionDetector {
  readonly #chars: number;
  #seenAt = 0;

  constructor(chars: number) {
    this.#chars = chars;
  }

  /** `text` is all of the text so far. */
  look(text: string): Repetition | undefined {
    if (text.length < this.#chars || text.length - this.#seenAt < this.#chars / LOOKS) return undefined;
    this.#seenAt = text.length;
    const block = periodOf(text.slice(-this.#chars));
    if (block === undefined) return undefined;
    let from = text.length - this.#chars;
    while (from > 0 && text[from - 1] === text[from - 1 + block]) from -= 1;
    return { from, block };
  }

  /** The text begins again. */
  reset(): void {
    this.#seenAt = 0;
  }
}

/** The length of the block that all of the text repeats; undefined: it repeats none. */
function periodOf(text: string): number | undefined {
  // The longest beginning that is also an end, for each beginning of the text (Knuth, Morris and Pratt).
  const borders = new Uint32Array(text.length);
  let border = 0;
  for (let at = 1; at < text.length; at += 1) {
    while (border > 0 && text[at] !== text[border]) border = borders[border - 1] ?? 0;
    if (text[at] === text[border]) border += 1;
    borders[at] = border;
  }
  const period = text.length - border;
  return period <= MAX_BLOCK && period * 20 <= text.length ? period : undefined;
}

/** The text with two of the blocks, and a word about the others. */
export function withoutRepetition(text: string, { from, block }: Repetition): string {
  return `${text.slice(0, from + 2 * block).trimEnd()}\n\n[The model repeated this, and was stopped.]`;
}
