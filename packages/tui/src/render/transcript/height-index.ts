/**
 * Heights of a list of items and their sums (a Fenwick tree): setting one, appending one and asking for the rows before
 * one cost the logarithm of the list's length.
 */
export class HeightIndex {
  readonly #heights: number[] = [];
  /** `#sums[i]` is the sum of the last `lowest bit of i` heights up to the i-th (counted from 1). */
  readonly #sums: number[] = [0];
  #total = 0;

  get length(): number {
    return this.#heights.length;
  }

  get total(): number {
    return this.#total;
  }

  at(index: number): number {
    return this.#heights[index] ?? 0;
  }

  push(height: number): void {
    this.#heights.push(height);
    const place = this.#heights.length;
    let sum = height;
    for (let step = 1; step < (place & -place); step <<= 1) sum += this.#sums[place - step] ?? 0;
    this.#sums.push(sum);
    this.#total += height;
  }

  set(index: number, height: number): void {
    const change = height - this.at(index);
    if (change === 0) return;
    this.#heights[index] = height;
    this.#total += change;
    for (let place = index + 1; place < this.#sums.length; place += place & -place) {
      this.#sums[place] = (this.#sums[place] ?? 0) + change;
    }
  }

  /** Rows of all items before this one. */
  before(index: number): number {
    let sum = 0;
    for (let place = Math.min(index, this.length); place > 0; place -= place & -place) sum += this.#sums[place] ?? 0;
    return sum;
  }

  /** Truncates to the first `length` items. */
  truncate(length: number): void {
    while (this.#heights.length > length) {
      this.#total -= this.#heights.pop() ?? 0;
      this.#sums.pop();
    }
  }
}
