const MAX_DEPTH = 64;

/**
 * JSON with sorted keys, so that equal values give equal texts. Levels deeper than any arguments may have are left out.
 */
export function canonicalJson(value: unknown): string {
  return jsonAt(value, 0);
}

function jsonAt(value: unknown, depth: number): string {
  if (typeof value !== "object" || value === null) return JSON.stringify(value) ?? "null";
  if (depth >= MAX_DEPTH) return '"…"';
  if (Array.isArray(value)) return `[${value.map((each) => jsonAt(each, depth + 1)).join(",")}]`;
  const entries = Object.entries(value)
    .filter(([, each]) => each !== undefined)
    .sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0));
  return `{${entries.map(([key, each]) => `${JSON.stringify(key)}:${jsonAt(each, depth + 1)}`).join(",")}}`;
}
