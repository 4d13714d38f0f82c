/** Such as `12.3k`: tokens with three digits; `shortCount` is shorter. */
export function tokenCount(count: number): string {
  if (count < 1000) return String(Math.round(count));
  const [value, unit] = count < 999_950 ? [count / 1000, "k"] : [count / 1_000_000, "M"];
  return `${value < 999.5 ? value.toFixed(1).replace(/\.0$/, "") : Math.round(value)}${unit}`;
}
