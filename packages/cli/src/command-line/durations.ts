const unitsMs: Record<string, number> = { ms: 1, s: 1000, m: 60_000, h: 3_600_000 };

/** The longest delay of Node's timers; longer ones fire at once. */
const MAX_MS = 2 ** 31 - 1;

/**
 * Parses `90s`, `10m`, `1.5h`, `500ms`, or a plain number of seconds into milliseconds; undefined for anything else.
 */
export function parseDurationMs(text: string): number | undefined {
  const match = /^(\d+(?:\.\d+)?)(ms|s|m|h)?$/.exec(text.trim());
  const unit = unitsMs[match?.[2] ?? "s"];
  if (!match || unit === undefined) return undefined;
  const ms = Number(match[1]) * unit;
  return ms > 0 ? Math.min(ms, MAX_MS) : undefined;
}

/** Formats a duration for people: `1.5 s`, `10 min`, `2 h`. */
export function formatDuration(ms: number): string {
  if (ms < 1000) return `${ms} ms`;
  const [amount, unit] = ms < 60_000 ? [ms / 1000, "s"] : ms < 3_600_000 ? [ms / 60_000, "min"] : [ms / 3_600_000, "h"];
  return `${Number(amount.toFixed(1))} ${unit}`;
}
