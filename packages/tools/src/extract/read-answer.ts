import { mergeRanges } from "../files/seen-lines.ts";

/** A longer extract is not worth the loss. */
const MAX_SHARE = 0.6;
const MAX_SUMMARY_CHARS = 500;
/** Shorter gaps are shown, because the note about them would be as long. */
const MIN_GAP = 4;

/** The relevant lines, and a summary of the others. */
export type Extract = { lines: [number, number][]; summary: string };

/** Undefined: it is not a selection of lines, or hardly shorter than the file. */
export function readExtract(answer: string, total: number): Extract | undefined {
  const found = parseAnswer(answer.slice(answer.indexOf("{"), answer.lastIndexOf("}") + 1));
  const { line_ranges: ranges, summary } = (found ?? {}) as { line_ranges?: unknown; summary?: unknown };
  if (!Array.isArray(ranges)) return undefined;
  const valid = ranges.flatMap((range: unknown): [number, number][] => {
    const [first, last] = Array.isArray(range) ? range.map(Number) : [];
    if (first === undefined || last === undefined || !Number.isInteger(first) || !Number.isInteger(last)) return [];
    const within: [number, number] = [Math.max(1, first), Math.min(total, last)];
    return within[0] <= within[1] ? [within] : [];
  });
  const lines = withoutSmallGaps(mergeRanges(valid), total);
  const kept = lines.reduce((sum, [first, last]) => sum + last - first + 1, 0);
  if (kept === 0 || kept > total * MAX_SHARE) return undefined;
  const words = typeof summary === "string" ? summary.replace(/\s+/g, " ").trim() : "";
  return { lines, summary: words.slice(0, MAX_SUMMARY_CHARS).toWellFormed() };
}

function withoutSmallGaps(lines: readonly [number, number][], total: number): [number, number][] {
  const filled: [number, number][] = [];
  for (const [first, last] of lines) {
    const before = filled.at(-1);
    const from = first - (before?.[1] ?? 0) <= MIN_GAP ? (before?.[1] ?? 0) + 1 : first;
    filled.push([from, total - last < MIN_GAP ? total : last]);
  }
  return mergeRanges(filled);
}

function parseAnswer(text: string | undefined): unknown {
  try {
    return text === undefined ? undefined : JSON.parse(text);
  } catch {
    return undefined;
  }
}
