/** Access to values of foreign files. Nothing is known about them, and nothing here throws. */
export type JsonRow = Readonly<Record<string, unknown>>;

export function isRow(value: unknown): value is JsonRow {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** An empty object for anything else. */
export function rowOf(value: unknown): JsonRow {
  return isRow(value) ? value : {};
}

/** The objects in a list; text counts as a list with one text part. */
export function partList(value: unknown): JsonRow[] {
  if (typeof value === "string") return value === "" ? [] : [{ type: "text", text: value }];
  return Array.isArray(value) ? value.filter(isRow) : [];
}

/** An empty text for anything else. */
export function stringOf(value: unknown): string {
  return typeof value === "string" ? value : "";
}

/** Text unchanged, anything else as JSON. */
export function shownValue(value: unknown): string {
  return typeof value === "string" ? value : (JSON.stringify(value) ?? "");
}
