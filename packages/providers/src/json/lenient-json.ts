import { isRecord } from "@harness/host";

// Access to JSON of unknown origin: any field may hold anything.

export type JsonRecord = { readonly [key: string]: unknown };

/** Never undefined, so that lookups can be chained; anything but an object reads as an empty one. */
export function asRecord(value: unknown): JsonRecord {
  return isRecord(value) ? value : {};
}

export { isRecord };

export function asList(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

/** Empty for anything that is not a string. */
export function asText(value: unknown): string {
  return typeof value === "string" ? value : "";
}

/** A non-negative integer; servers report null, NaN and negative counts too. */
export function asCount(value: unknown): number | undefined {
  return typeof value === "number" && Number.isFinite(value) && value >= 0 ? Math.round(value) : undefined;
}

export function tryParseJson(text: string): { ok: true; value: unknown } | { ok: false } {
  try {
    return { ok: true, value: JSON.parse(text) };
  } catch {
    return { ok: false };
  }
}

/** Drops fields that are undefined. */
export function withoutUndefined<T extends Record<string, unknown>>(
  fields: T,
): { [Key in keyof T]?: Exclude<T[Key], undefined> } {
  const entries = Object.entries(fields).filter(([, value]) => value !== undefined);
  return Object.fromEntries(entries) as { [Key in keyof T]?: Exclude<T[Key], undefined> };
}
