import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import * as z from "zod";

const figuresSchema = z.record(z.string(), z.array(z.number()));

const measurementSchema = z.strictObject({
  /** ISO 8601 */
  startedAt: z.string(),
  /** How many processes wanted a core, in the minute before it began and in the one before it ended. */
  load: z.tuple([z.number(), z.number()]),
  machine: z.string(),
  /** By contender, those that took part. */
  versions: z.record(z.string(), z.string()),
  /** By contender: why it took no part, or not to the end. */
  absent: z.record(z.string(), z.string()),
  /** By row, then by contender: every counted run. */
  rows: z.record(z.string(), figuresSchema),
});

/** One run of `npm run bench -- rivals`, as it is kept. */
export type Measurement = z.infer<typeof measurementSchema>;

const file = join(import.meta.dirname, "../rivals.json");
/** The docs show as many. */
const KEPT = 4;

/** Those that docs/benchmarks.md is made from, oldest first. */
export function readMeasurements(): Measurement[] {
  return z.array(measurementSchema).parse(JSON.parse(readFileSync(file, "utf8")));
}

/** Adds one to the file; the oldest goes. */
export function keepMeasurement(measurement: Measurement): void {
  const rounded = { ...measurement, rows: roundedRows(measurement.rows) };
  const kept = [...readMeasurements(), rounded].slice(-KEPT);
  const lists = JSON.stringify(kept, null, 2).replace(/\[\s+([-\d.,\s]+?)\s+\]/g, (_, list: string) => {
    return `[${list.replace(/\s+/g, " ")}]`;
  });
  writeFileSync(file, `${lists}\n`);
}

function roundedRows(rows: Measurement["rows"]): Measurement["rows"] {
  const round = (value: number): number => Math.round(value * 100) / 100;
  return Object.fromEntries(
    Object.entries(rows).map(([row, figures]) => [
      row,
      Object.fromEntries(Object.entries(figures).map(([name, runs]) => [name, runs.map(round)])),
    ]),
  );
}
