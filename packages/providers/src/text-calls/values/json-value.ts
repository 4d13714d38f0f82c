import { repairJson } from "@harness/core";
import { tryParseJson } from "../../json/lenient-json.ts";

/**
 * `cut`: the text ends inside the value. `broken`: it is closed, but still not JSON. `end` is after the text that was
 * read.
 */
export type JsonReading = { kind: "value"; value: unknown; end: number } | { kind: "broken" | "cut"; end: number };

/** Reads the object or list that begins at `at`, whatever follows it. Undefined if none begins there. */
export function readJsonValue(text: string, at: number): JsonReading | undefined {
  const first = text[at];
  if (first !== "{" && first !== "[") return undefined;
  const { end, isClosed } = jsonEnd(text, at);
  if (!isClosed) return { kind: end < text.length ? "broken" : "cut", end };
  const raw = text.slice(at, end);
  const plain = tryParseJson(raw);
  if (plain.ok) return { kind: "value", value: plain.value, end };
  const repaired = tryParseJson(repairJson(raw).text);
  return repaired.ok ? { kind: "value", value: repaired.value, end } : { kind: "broken", end };
}

/** The values from `from` on that are JSON only after a repair, as JSON. Visits each position once. */
export function repairedValues(text: string, from: number): string[] {
  const values: string[] = [];
  const opening = /[{[]/g;
  opening.lastIndex = from;
  for (let found = opening.exec(text); found; found = opening.exec(text)) {
    const json = readJsonValue(text, found.index);
    if (json?.kind === "value" && !tryParseJson(text.slice(found.index, json.end)).ok)
      values.push(JSON.stringify(json.value));
    opening.lastIndex = Math.max(json?.end ?? 0, found.index + 1);
  }
  return values;
}

/** Limit of the search for the closing mark after an object that is not JSON. */
const NEAR = 20_000;

/**
 * The end of unreadable arguments: unescaped quotes mislead the counting of brackets, so the closing mark is more
 * reliable. Undefined without one.
 */
export function closerAfter(
  text: string,
  from: number,
  json: JsonReading,
  closer: string | undefined,
): number | undefined {
  if (closer === undefined) return undefined;
  if (json.kind === "cut") {
    const at = text.indexOf(closer, from);
    return at < 0 ? undefined : at;
  }
  const near = text.slice(json.end, json.end + NEAR).indexOf(closer);
  return near < 0 ? undefined : json.end + near;
}

/**
 * The position after the matching bracket; brackets are only counted. It is not closed if the text ends before, or if a
 * mark begins between the values, which JSON cannot contain there. Stopping at a mark keeps a row of broken calls
 * linear.
 */
function jsonEnd(text: string, at: number): { end: number; isClosed: boolean } {
  let depth = 0;
  for (let index = at; index < text.length; index += 1) {
    const char = text[index];
    if (char === '"') {
      index = stringEnd(text, index);
    } else if (char === "{" || char === "[") depth += 1;
    else if (char === "}" || char === "]") {
      depth -= 1;
      if (depth === 0) return { end: index + 1, isClosed: true };
    } else if (char === "<" || char === "`") return { end: index, isClosed: false };
  }
  return { end: text.length, isClosed: false };
}

/** The position of the quote that ends the string beginning at `at`; past the text if there is none. */
function stringEnd(text: string, at: number): number {
  for (let index = at + 1; index < text.length; index += 1) {
    const char = text[index];
    if (char === "\\") index += 1;
    else if (char === '"') return index;
  }
  return text.length;
}
