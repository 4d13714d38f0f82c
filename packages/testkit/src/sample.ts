/**
 * Set by `npm run test:all`: tests over all lengths, positions, rows or generated inputs then use every one of them.
 */
export const isWhole = process.env.HARNESS_TEST_ALL === "1";

/** At most `count` of the values, spread evenly from the first to the last; all of them in `npm run test:all`. */
export function sample<const T>(values: readonly T[], count: number): T[] {
  if (isWhole || values.length <= count) return [...values];
  const step = (values.length - 1) / Math.max(count - 1, 1);
  return Array.from({ length: count }, (_, place) => values[Math.round(place * step)] as T);
}

/** How often a property is tried: the full number in `npm run test:all`, otherwise a tenth of it. */
export const numRuns = (times: number): number => (isWhole ? times : Math.ceil(times / 10));
