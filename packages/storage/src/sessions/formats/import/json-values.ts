/** Values of foreign files: nothing about them is known, and nothing about them throws. */
export type JsonRow = Readonly<Record<string, unknown>>;

export function isRow(value: unknown): value is JsonRow {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** An empty one for anything else. */
export function rowOf(value: unknown): JsonRow {
  return isRow(value) ? value : {};
}

/** The objects of a list; a text counts as a list with a text part. */
export function partList(value: unknown): JsonRow[] {
  if (typeof value === "string") return value === "" ? [] : [{ type: "text", text: value }];
  return Array.isArray(value) ? value.filter(isRow) : [];
}

/** Empty for anything else. */
export function stringOf(value: unknown): string {
  return typeof value === "string" ? value : "";
}

/** A text as it is, anything else as JSON. */
export function shownValue(value: unknown): string {
  return typeof value === "string" ? value : (JSON.stringify(value) ?? "");
}
