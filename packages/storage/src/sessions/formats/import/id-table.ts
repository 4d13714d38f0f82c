const FIRST_SLOTS = 1024;

/** A growing list of integers that takes a quarter of the memory of a plain array. */
export class IntList {
  length = 0;
  #values = new Int32Array(FIRST_SLOTS);

  push(value: number): void {
    if (this.length === this.#values.length) {
      const larger = new Int32Array(2 * this.length);
      larger.set(this.#values);
      this.#values = larger;
    }
    this.#values[this.length] = value;
    this.length += 1;
  }

  /** Returns -1 for an index outside. */
  at(place: number): number {
    return place < this.length ? (this.#values[place] ?? -1) : -1;
  }
}

/** Lists of integers, most of them short, stored in one piece. */
export class IntLists {
  readonly #ends = new IntList();
  readonly #values = new IntList();

  push(list: readonly number[]): void {
    for (const value of list) this.#values.push(value);
    this.#ends.push(this.#values.length);
  }

  *at(place: number): Generator<number, void> {
    const end = this.#ends.at(place);
    for (let at = place === 0 ? 0 : this.#ends.at(place - 1); at < end; at += 1) yield this.#values.at(at);
  }
}

/**
 * Numbers ids from 0 on, equal ids alike. Keeps 64 bits of each id instead of its text, because a file may have
 * hundreds of thousands.
 */
export class IdTable {
  size = 0;
  /** The two halves of the hash behind each number. */
  readonly #halves = [new IntList(), new IntList()] as const;
  /** In each used slot, a number plus 1. */
  #slots = new Int32Array(FIRST_SLOTS);

  of(id: string): number {
    const halves = hashesOf(id);
    const slot = this.#slotOf(halves);
    const known = (this.#slots[slot] ?? 0) - 1;
    if (known >= 0) return known;
    this.#slots[slot] = this.size + 1;
    this.#halves[0].push(halves[0]);
    this.#halves[1].push(halves[1]);
    this.size += 1;
    if (2 * this.size > this.#slots.length) this.#grow();
    return this.size - 1;
  }

  #slotOf([one, other]: readonly [number, number]): number {
    const mask = this.#slots.length - 1;
    for (let slot = (one ^ other) & mask; ; slot = (slot + 1) & mask) {
      const number = (this.#slots[slot] ?? 0) - 1;
      if (number < 0 || (this.#halves[0].at(number) === one && this.#halves[1].at(number) === other)) return slot;
    }
  }

  #grow(): void {
    this.#slots = new Int32Array(2 * this.#slots.length);
    for (let number = 0; number < this.size; number += 1)
      this.#slots[this.#slotOf([this.#halves[0].at(number), this.#halves[1].at(number)])] = number + 1;
  }
}

/** Two independent hashes, both mixed as in MurmurHash. */
function hashesOf(id: string): readonly [number, number] {
  let one = 0x2f0b4a27 ^ id.length;
  let other = 0x41c6ce57;
  for (let at = 0; at < id.length; at += 1) {
    const code = id.charCodeAt(at);
    one = Math.imul(one ^ code, 0x9e3779b1);
    other = Math.imul(other ^ code, 0x5f356495);
    one ^= one >>> 15;
    other ^= other >>> 13;
  }
  return [mixed(one), mixed(other)];
}

function mixed(hash: number): number {
  const half = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  const most = Math.imul(half ^ (half >>> 13), 0xc2b2ae35);
  return (most ^ (most >>> 16)) | 0;
}
