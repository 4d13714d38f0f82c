import { CliError } from "../process/exit-codes.ts";

const DAY_MS = 24 * 3_600_000;
const unitsMs: Readonly<Record<string, number>> = { h: 3_600_000, d: DAY_MS, w: 7 * DAY_MS };

/** The time of `--since` as an ISO date: `7d` before now, or a date, which begins at midnight here. */
export function sinceTime(text: string | undefined, now: number): string | undefined {
  if (text === undefined) return undefined;
  const [, count, unit = ""] = /^(\d{1,4})([hdw])$/.exec(text.trim()) ?? [];
  const unitMs = unitsMs[unit];
  const at = unitMs === undefined ? dateOf(text.trim()) : new Date(now - Number(count) * unitMs).getTime();
  if (Number.isNaN(at))
    throw new CliError("usage", `--since takes 12h, 7d, 2w or a date such as 2026-11-21, not "${text}".`);
  return new Date(at).toISOString();
}

function dateOf(text: string): number {
  const isDay = /^\d{4}-\d\d-\d\d$/.test(text);
  if (!isDay && !/^\d{4}-\d\d-\d\dT[\d:.]+(?:Z|[+-]\d\d:\d\d)?$/.test(text)) return Number.NaN;
  const at = Date.parse(isDay ? `${text}T00:00:00` : text);
  // The 31st of February is the 3rd of March to Date.
  return isDay && new Date(at).getDate() !== Number(text.slice(8)) ? Number.NaN : at;
}
