import { median } from "./figures.ts";

/** Something that reads text of any size, and should take time proportional to it. */
export type GrowthRow = {
  readonly name: string;
  /** Characters of the smaller text. */
  readonly size: number;
  readonly textOf: (size: number) => string;
  readonly read: (text: string) => void;
};

type Growth = { readonly smallMs: number; readonly largeMs: number; readonly ratio: number };

const TIMES_LARGER = 4;
/** Linear is 4, quadratic 16; garbage collection adds something in between. */
const MAX_RATIO = 9;
/** Below this the clock and the collector dominate. */
const MIN_MS = 30;
const RUNS = 3;

function measure({ size, textOf, read }: GrowthRow): Growth {
  const timeOf = (length: number): number => {
    const text = textOf(length);
    const runs = Array.from({ length: RUNS }, () => {
      const began = performance.now();
      read(text);
      return performance.now() - began;
    });
    return median(runs);
  };
  const smallMs = timeOf(size);
  const largeMs = timeOf(size * TIMES_LARGER);
  return { smallMs, largeMs, ratio: largeMs / smallMs };
}

const isLinear = ({ largeMs, ratio }: Growth): boolean => largeMs < MIN_MS || ratio <= MAX_RATIO;

/** Prints a line for each row; returns true if the time of all grows linearly. */
export function checkGrowth(rows: readonly GrowthRow[]): boolean {
  let areLinear = true;
  for (const row of rows) {
    const first = measure(row);
    // The machine may be busy: measured once more before it counts.
    const growth = isLinear(first) ? first : measure(row);
    const verdict = isLinear(growth) ? "✓" : "✗ not linear";
    const ms = (value: number) => value.toFixed(1).padStart(8);
    const ratio = growth.largeMs < MIN_MS ? "   –" : growth.ratio.toFixed(1).padStart(4);
    const sizes = `${ms(growth.smallMs)} ms ${ms(growth.largeMs)} ms  × ${ratio}  ${verdict}`;
    process.stdout.write(`${sizes}  ${row.name}\n`);
    areLinear &&= isLinear(growth);
  }
  return areLinear;
}
