/** For example `1 line`, `3 lines`. */
export function amount(count: number, noun: string, plural = `${noun}s`): string {
  return `${count.toLocaleString("en-US")} ${count === 1 ? noun : plural}`;
}

/** A size for people: exact below 10 kB, rounded above. */
export function byteSize(bytes: number): string {
  if (bytes < 10_000) return amount(bytes, "byte");
  if (bytes < 1_000_000) return `${Math.round(bytes / 1000)} kB`;
  if (bytes < 1_000_000_000) return `${(bytes / 1_000_000).toFixed(1)} MB`;
  return `${(bytes / 1_000_000_000).toFixed(1)} GB`;
}
