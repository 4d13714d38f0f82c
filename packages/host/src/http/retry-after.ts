/**
 * How long a server asks to wait, in ms: `retry-after-ms`, or `retry-after` in seconds or as a date (RFC 9110, 10.2.3).
 * Undefined if it is negative, past, or unreadable. `now` is the wall clock.
 */
export function retryAfterMs(headers: Readonly<Record<string, string>>, now: number): number | undefined {
  const exact = positive(Number.parseFloat(headers["retry-after-ms"] ?? ""));
  if (exact !== undefined) return exact;
  const text = headers["retry-after"]?.trim() ?? "";
  if (/^[+-]?\d+(\.\d+)?$/.test(text)) return positive(Number.parseFloat(text) * 1000);
  return /[a-z]{3}/i.test(text) ? positive(Date.parse(text) - now) : undefined;
}

function positive(ms: number): number | undefined {
  return Number.isFinite(ms) && ms > 0 ? Math.ceil(ms) : undefined;
}
