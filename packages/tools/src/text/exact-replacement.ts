export type Replacement =
  | { outcome: "replaced"; text: string; lines: number[] }
  | { outcome: "missing" }
  /** Exceeds the limit of occurrences or of the result's size. */
  | { outcome: "tooMuch" }
  /** `lines`: where `old` begins, from 1; at most 1000 of them. */
  | { outcome: "ambiguous"; lines: number[]; count: number };

type Span = { start: number; end: number };

const MAX_LINES = 1000;
const MAX_OCCURRENCES = 100_000;
const MAX_RESULT_CHARS = 100_000_000;

/**
 * Replaces `old` with `into`, literally, and leaves every other character as it is. If the text has CRLF, a line end of
 * `old` matches LF and CRLF alike; the replacement uses the line ends at its place.
 */
export function replaceExactly(text: string, old: string, into: string, { all }: { all: boolean }): Replacement {
  const spans = findSpans(text, old);
  if (spans.length === 0) return { outcome: "missing" };
  const growth = spans.length * into.length;
  if (spans.length > MAX_OCCURRENCES || text.length + growth > MAX_RESULT_CHARS) return { outcome: "tooMuch" };
  const lines = linesAt(text, spans.slice(0, MAX_LINES));
  if (spans.length > 1 && !all) return { outcome: "ambiguous", lines, count: spans.length };
  let result = "";
  let from = 0;
  const usual = usualLineEnd(text);
  for (const { start, end } of spans) {
    result += text.slice(from, start) + withLineEnds(into, lineEndOf(text.slice(start, end)) ?? usual);
    from = end;
  }
  return { outcome: "replaced", text: result + text.slice(from), lines };
}

/** The occurrences of `old`, without overlaps, as positions in `text`. */
function findSpans(text: string, old: string): Span[] {
  if (!text.includes("\r\n")) return occurrences(text, old);
  // Compares with all line ends as LF, then counts the CRs that were removed before each position.
  const crs: number[] = [];
  for (let at = text.indexOf("\r\n"); at !== -1; at = text.indexOf("\r\n", at + 2)) crs.push(at - crs.length);
  let passed = 0;
  const original = (position: number) => {
    while (passed < crs.length && (crs[passed] ?? 0) < position) passed++;
    return position + passed;
  };
  return occurrences(text.replaceAll("\r\n", "\n"), old.replaceAll("\r\n", "\n")).map(({ start, end }) => ({
    start: original(start),
    end: original(end),
  }));
}

function occurrences(text: string, old: string): Span[] {
  const found: Span[] = [];
  for (let at = text.indexOf(old); at !== -1; at = text.indexOf(old, at + old.length)) {
    found.push({ start: at, end: at + old.length });
    if (found.length > MAX_OCCURRENCES) break;
  }
  return found;
}

function linesAt(text: string, spans: readonly Span[]): number[] {
  const lines: number[] = [];
  let line = 1;
  let next = text.indexOf("\n");
  for (const { start } of spans) {
    while (next !== -1 && next < start) {
      line++;
      next = text.indexOf("\n", next + 1);
    }
    lines.push(line);
  }
  return lines;
}

/** The first line end in a piece of text; undefined: none. */
function lineEndOf(text: string): "\r\n" | "\n" | undefined {
  const at = text.indexOf("\n");
  if (at === -1) return undefined;
  return text[at - 1] === "\r" ? "\r\n" : "\n";
}

function usualLineEnd(text: string): "\r\n" | "\n" {
  let crlf = 0;
  let lf = 0;
  for (let at = text.indexOf("\n"); at !== -1; at = text.indexOf("\n", at + 1)) {
    if (text[at - 1] === "\r") crlf++;
    else lf++;
  }
  return crlf > lf ? "\r\n" : "\n";
}

function withLineEnds(text: string, lineEnd: "\r\n" | "\n"): string {
  return lineEnd === "\r\n" ? text.replaceAll("\r\n", "\n").replaceAll("\n", "\r\n") : text;
}
