import { median, short } from "../figures.ts";
import type { Measurement } from "./measurement.ts";
import { type Aim, type RivalRow, rivalRows } from "./rows.ts";

const HARNESS = "harness";
const YARDSTICK = "node -e 0";

type Figures = Readonly<Record<string, readonly number[]>>;

/** The figure that an aim compares harness with; undefined if the rival did not take part. */
function against(figures: Figures, { of }: Aim): number | undefined {
  const medians = Object.entries(figures)
    .filter(([name]) => (of === "the best rival" ? name !== HARNESS && name !== YARDSTICK : name === of))
    .map(([, runs]) => median(runs));
  return medians.length === 0 ? undefined : Math.min(...medians);
}

type Verdict = { readonly value: number; readonly isReached: boolean };

/** How harness did on an aim: its figure in the row's unit, or its multiple of the other's. */
function verdictOn(figures: Figures, row: RivalRow, aim: Aim): Verdict | undefined {
  const own = figures[HARNESS];
  const other = aim.of === undefined ? (row.divisor ?? 1) : against(figures, aim);
  if (own === undefined || other === undefined) return undefined;
  const value = median(own) / other;
  return { value, isReached: value <= aim.atMost };
}

const aimText = ({ atMost, of }: Aim, unit: string): string =>
  of === undefined ? `≤ ${atMost} ${unit}` : `≤ ${atMost} × ${of}`;

const inUnit = ({ unit, divisor = 1 }: RivalRow, value: number): string => `${short(value / divisor)} ${unit}`;

/** The participants of these measurements, harness first. */
export function takingPart(measurements: readonly Measurement[]): string[] {
  const names = new Set(measurements.flatMap(({ versions }) => Object.keys(versions)));
  return [HARNESS, ...[...names].filter((name) => name !== HARNESS)];
}

/** The rows that these measurements contain, each with its id. */
export function measuredRows(measurements: readonly Measurement[]): [string, RivalRow][] {
  return Object.entries(rivalRows).filter(([id]) => measurements.some(({ rows }) => rows[id] !== undefined));
}

/** The median with the minimum and the maximum. */
export function cellText(row: RivalRow, runs: readonly number[]): string {
  if (runs.length === 0) return "–";
  const [least, most] = [Math.min(...runs), Math.max(...runs)].map((value) => short(value / (row.divisor ?? 1)));
  return least === most ? inUnit(row, median(runs)) : `${inUnit(row, median(runs))} (${least}–${most})`;
}

/** Each aim of a row with its result in each measurement. */
export function verdictTexts(id: string, row: RivalRow, measurements: readonly Measurement[]): string {
  const texts = (row.aims ?? []).map((aim) => {
    const verdicts = measurements.map(({ rows }) => verdictOn(rows[id] ?? {}, row, aim));
    const said = verdicts.map((verdict) => {
      return verdict === undefined ? "–" : `${verdict.value.toFixed(2)} ${verdict.isReached ? "✓" : "✗"}`;
    });
    return `${aimText(aim, row.unit)}: ${said.join(", ")}`;
  });
  return texts.join("; ");
}

/** From the newest measurement in which it took part. */
export const runsOf = (measurements: readonly Measurement[], id: string, name: string): readonly number[] =>
  measurements.findLast(({ rows }) => rows[id]?.[name] !== undefined)?.rows[id]?.[name] ?? [];
