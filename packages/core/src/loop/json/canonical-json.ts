const MAX_DEPTH = 64;

/**
 * JSON with sorted keys: equal values give equal texts, whatever order their keys were written in. What is nested deeper
 * than any arguments may be is left out.
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
