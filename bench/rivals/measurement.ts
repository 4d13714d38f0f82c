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
  /** The participants, by contender. */
  versions: z.record(z.string(), z.string()),
  /** By contender: why it did not take part, or not to the end. */
  absent: z.record(z.string(), z.string()),
  /** By row, then by contender: every counted run. */
  rows: z.record(z.string(), figuresSchema),
});

/** One stored run of `npm run bench -- rivals`. */
export type Measurement = z.infer<typeof measurementSchema>;

const file = join(import.meta.dirname, "../rivals.json");
/** The number that the docs show. */
const KEPT = 4;

/** The source of docs/benchmarks.md, oldest first. */
export function readMeasurements(): Measurement[] {
  return z.array(measurementSchema).parse(JSON.parse(readFileSync(file, "utf8")));
}

/** Adds one to the file; the oldest is dropped. */
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
