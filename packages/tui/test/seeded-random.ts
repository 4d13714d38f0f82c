/** Numbers that look random and are the same for the same seed, for property tests. */
export function seededRandom(seed: number): { below(limit: number): number; pick<T>(from: readonly T[]): T } {
  let state = seed >>> 0;
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
  return {
    below: (limit) => Math.floor(next() * limit),
    pick(from) {
      const found = from[Math.floor(next() * from.length)];
      if (found === undefined) throw new Error("nothing to pick from");
      return found;
    },
  };
}
