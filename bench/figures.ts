/** One line of the table: name, unit, and our target. */
export type Figure = {
  name: string;
  unit: "ms" | "MB" | "kB" | "bytes" | "%" | "MB/s" | "tokens" | "k tokens/s" | "facts/s" | "×";
  runs: number[];
  /** The target, at most; absent: only observed. */
  target?: number;
  /** The target, at least. */
  atLeast?: number;
  /** The same run's yardstick, such as `node -e 0`, in the same unit. */
  yardstick?: { name: string; runs: number[] };
};

export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.length >> 1;
  const upper = sorted[middle] ?? Number.NaN;
  return sorted.length % 2 === 1 ? upper : (upper + (sorted[middle - 1] ?? Number.NaN)) / 2;
}

export const short = (value: number): string =>
  Math.abs(value) >= 100 ? value.toFixed(0) : Math.abs(value) >= 10 ? value.toFixed(1) : value.toFixed(2);

function verdictOn(value: number, { target, atLeast }: Figure): string {
  if (target !== undefined) return value <= target ? `≤ ${target} ✓` : `≤ ${target} ✗`;
  if (atLeast !== undefined) return value >= atLeast ? `≥ ${atLeast} ✓` : `≥ ${atLeast} ✗`;
  return "";
}

export function printTable(figures: readonly Figure[]): void {
  const rows = figures.map((figure) => {
    const { name, unit, runs, yardstick } = figure;
    const value = median(runs);
    const spread = runs.length > 1 ? `${short(Math.min(...runs))}–${short(Math.max(...runs))}` : "";
    const ratio = yardstick ? `${(value / median(yardstick.runs)).toFixed(2)} × ${yardstick.name}` : "";
    return [name, `${short(value)} ${unit}`, spread, verdictOn(value, figure), ratio];
  });
  printRows(["figure", "median", "min–max", "target", "ratio"], rows);
}

/** In columns of equal width. */
export function printRows(header: readonly string[], rows: readonly (readonly string[])[]): void {
  const widths = header.map((title, column) => Math.max(title.length, ...rows.map((row) => row[column]?.length ?? 0)));
  const line = (row: readonly string[]) =>
    `| ${row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join(" | ")} |`;
  const out = [line(header), `|${widths.map((width) => "-".repeat(width + 2)).join("|")}|`, ...rows.map(line)];
  process.stdout.write(`${out.join("\n")}\n`);
}
