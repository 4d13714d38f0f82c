const UNITS = { ms: 1, s: 1_000, m: 60_000, h: 3_600_000 };
const USUAL_MS = 15 * UNITS.m;

/** Parses a setting such as `15m`, `1h30m`, `300` (seconds), `0`, or `-1` (forever). Anything else means 15 minutes. */
export function keepAliveMs(setting: string | undefined): number {
  const text = setting?.trim() ?? "";
  if (/^-\d/.test(text)) return Number.POSITIVE_INFINITY;
  if (/^\d+(\.\d+)?$/.test(text)) return Number(text) * 1_000;
  if (!/^(\d+(\.\d+)?(ms|s|m|h))+$/.test(text)) return USUAL_MS;
  let ms = 0;
  for (const [, amount, unit = ""] of text.matchAll(/(\d+(?:\.\d+)?)(ms|s|m|h)/g)) {
    ms += Number(amount) * (UNITS[unit as keyof typeof UNITS] ?? 0);
  }
  return ms;
}
