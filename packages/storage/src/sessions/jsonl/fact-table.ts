/** A fact and the position of its line: which of the session's logs, and from which byte. */
export type FactEntry = { seq: number; kind: string; log: number; offset: number; length: number };

const FIRST_SIZE = 64;

/**
 * The positions of a session's facts in its logs, in the order they were added. Takes 24 bytes per fact, so that a long
 * session can be read in pages from either end without being in memory.
 */
export class FactTable {
  length = 0;
  /** True if the numbers rise. */
  isAscending = true;
  #seqs = new Float64Array(FIRST_SIZE);
  #offsets = new Float64Array(FIRST_SIZE);
  #lengths = new Uint32Array(FIRST_SIZE);
  #logs = new Uint16Array(FIRST_SIZE);
  #kinds = new Uint16Array(FIRST_SIZE);
  readonly #kindNames: string[] = [];
  readonly #kindNumbers = new Map<string, number>();

  add({ seq, kind, log, offset, length }: FactEntry): void {
    const at = this.length;
    if (at === this.#seqs.length) this.#grow();
    if (at > 0 && seq <= this.seqAt(at - 1)) this.isAscending = false;
    this.#seqs[at] = seq;
    this.#offsets[at] = offset;
    this.#lengths[at] = length;
    this.#logs[at] = log;
    this.#kinds[at] = this.#kindNumber(kind);
    this.length = at + 1;
  }

  at(index: number): FactEntry {
    return {
      seq: this.seqAt(index),
      kind: this.kindAt(index),
      log: this.#logs[index] ?? 0,
      offset: this.#offsets[index] ?? 0,
      length: this.lengthAt(index),
    };
  }

  seqAt(index: number): number {
    return this.#seqs[index] ?? 0;
  }

  kindAt(index: number): string {
    return this.#kindNames[this.#kinds[index] ?? 0] ?? "";
  }

  lengthAt(index: number): number {
    return this.#lengths[index] ?? 0;
  }

  /** The index of the first fact with a higher number; `length` if there is none. Requires rising numbers. */
  firstAfter(seq: number): number {
    let low = 0;
    let high = this.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (this.seqAt(middle) > seq) high = middle;
      else low = middle + 1;
    }
    return low;
  }

  /** The indexes sorted by number; equal numbers stay in the order they were added. */
  order(): Iterable<number> {
    const indexes = Uint32Array.from({ length: this.length }, (_, index) => index);
    return this.isAscending ? indexes : indexes.sort((a, b) => this.seqAt(a) - this.seqAt(b) || a - b);
  }

  #kindNumber(kind: string): number {
    const known = this.#kindNumbers.get(kind);
    if (known !== undefined) return known;
    // No version of harness writes this many kinds; any more share the last number.
    const number = Math.min(this.#kindNames.length, 0xffff);
    this.#kindNames[number] = kind;
    this.#kindNumbers.set(kind, number);
    return number;
  }

  #grow(): void {
    const size = this.length * 2;
    const larger = <A extends Float64Array | Uint32Array | Uint16Array>(next: A, old: A): A => {
      next.set(old);
      return next;
    };
    this.#seqs = larger(new Float64Array(size), this.#seqs);
    this.#offsets = larger(new Float64Array(size), this.#offsets);
    this.#lengths = larger(new Uint32Array(size), this.#lengths);
    this.#logs = larger(new Uint16Array(size), this.#logs);
    this.#kinds = larger(new Uint16Array(size), this.#kinds);
  }
}
