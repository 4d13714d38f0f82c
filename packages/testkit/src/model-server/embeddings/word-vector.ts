/**
 * A vector of length 1 from the words of a text: texts with common words are near each other, and the same text has the
 * same vector in every run.
 */
export function wordVector(text: string, dimensions: number): number[] {
  const sum = new Array<number>(dimensions).fill(0);
  const words = text
    .replace(/([a-z])([A-Z])/g, "$1 $2")
    .toLowerCase()
    .match(/[\p{L}\p{N}]+/gu) ?? [text];
  for (const word of words) {
    const random = mulberry32(hashOf(word));
    for (let at = 0; at < dimensions; at += 1) sum[at] = (sum[at] ?? 0) + random() * 2 - 1;
  }
  const length = Math.hypot(...sum) || 1;
  return sum.map((number) => number / length);
}

/** FNV-1a. */
function hashOf(text: string): number {
  let hash = 0x811c9dc5;
  for (const char of text) hash = Math.imul(hash ^ (char.codePointAt(0) ?? 0), 0x01000193);
  return hash >>> 0;
}

function mulberry32(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
