/** The mean of vectors: what all of them have in common says nothing about one. */
export function meanVector(vectors: readonly Float32Array[], dimensions: number): Float32Array {
  const mean = new Float32Array(dimensions);
  for (const vector of vectors) {
    for (let at = 0; at < dimensions; at += 1) mean[at] = (mean[at] ?? 0) + (vector[at] ?? 0) / vectors.length;
  }
  return mean;
}

/** The number of 32-bit words of a code. */
export function codeLength(dimensions: number): number {
  return Math.ceil(dimensions / 32);
}

/** One bit for each dimension: whether it is above the mean. */
export function binaryCode(vector: Float32Array, mean: Float32Array): Uint32Array {
  const code = new Uint32Array(codeLength(vector.length));
  for (let at = 0; at < vector.length; at += 1) {
    if ((vector[at] ?? 0) > (mean[at] ?? 0)) code[at >>> 5] = (code[at >>> 5] ?? 0) | (1 << (at & 31));
  }
  return code;
}

/**
 * The places of the codes with the fewest bits that differ from those of the query, the nearest first. `codes`: one after
 * the other. `isLive`: leaves out a place; absent: all count.
 */
export function nearestCodes(
  codes: Uint32Array,
  query: Uint32Array,
  count: number,
  isLive?: (place: number) => boolean,
): number[] {
  const distances = codeDistances(codes, query);
  const bound = boundOf(distances, query.length * 32, count, isLive);
  const near: number[] = [];
  for (let place = 0; place < distances.length; place += 1) {
    if ((distances[place] ?? 0) <= bound && (isLive?.(place) ?? true)) near.push(place);
  }
  near.sort((a, b) => (distances[a] ?? 0) - (distances[b] ?? 0) || a - b);
  return near.slice(0, count);
}

function codeDistances(codes: Uint32Array, query: Uint32Array): Uint16Array {
  const length = query.length;
  const distances = new Uint16Array(length === 0 ? 0 : Math.floor(codes.length / length));
  for (let place = 0, start = 0; place < distances.length; place += 1, start += length) {
    let distance = 0;
    for (let at = 0; at < length; at += 1) {
      // The bits of a word are counted in pairs, fours and bytes.
      let bits = (codes[start + at] ?? 0) ^ (query[at] ?? 0);
      bits -= (bits >>> 1) & 0x55555555;
      bits = (bits & 0x33333333) + ((bits >>> 2) & 0x33333333);
      distance += Math.imul((bits + (bits >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24;
    }
    distances[place] = distance;
  }
  return distances;
}

/** The distance up to which there are `count` places. */
function boundOf(
  distances: Uint16Array,
  longest: number,
  count: number,
  isLive: ((place: number) => boolean) | undefined,
): number {
  const histogram = new Uint32Array(longest + 1);
  for (let place = 0; place < distances.length; place += 1) {
    const distance = distances[place] ?? 0;
    if (isLive?.(place) ?? true) histogram[distance] = (histogram[distance] ?? 0) + 1;
  }
  let found = 0;
  for (const [distance, here] of histogram.entries()) {
    found += here;
    if (found >= count) return distance;
  }
  return longest;
}
