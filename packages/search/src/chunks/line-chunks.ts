import type { Chunk } from "./chunk.ts";

/** Lines of a file, 0-based, inclusive. */
export type LineRange = { startRow: number; endRow: number };

export const MAX_CHUNK_CHARACTERS = 4_000;
/** About 500 tokens. */
const TEXT_CHARACTERS = 2_000;

/**
 * Cuts a range of lines into parts of about `target` characters, where possible at blank lines and, next best, where the
 * indentation is least. A single line may be longer than the limit.
 */
function cutLines(lines: readonly string[], range: LineRange, target = TEXT_CHARACTERS): LineRange[] {
  const parts: LineRange[] = [];
  for (let startRow = range.startRow; startRow <= range.endRow; ) {
    const end = lastWithin(lines, { startRow, endRow: range.endRow }, target);
    const endRow = end === range.endRow ? end : bestCut(lines, startRow, end);
    parts.push({ startRow, endRow });
    startRow = endRow + 1;
  }
  return parts;
}

/** The last line that fits; at least the first one. */
function lastWithin(lines: readonly string[], { startRow, endRow }: LineRange, target: number): number {
  let characters = 0;
  for (let row = startRow; row <= endRow; row += 1) {
    characters += (lines[row]?.length ?? 0) + 1;
    if (characters > target && row > startRow) return row - 1;
  }
  return endRow;
}

/** In the second half of what fits: the line before the best place for a cut. */
function bestCut(lines: readonly string[], startRow: number, endRow: number): number {
  let best = endRow;
  let least = costOf(lines[endRow + 1]);
  for (let row = endRow - 1; row > startRow + (endRow - startRow) / 2; row -= 1) {
    const cost = costOf(lines[row + 1]);
    if (cost < least) {
      least = cost;
      best = row;
    }
  }
  return best;
}

/** How bad it is to cut before a line. */
function costOf(line = ""): number {
  const indent = line.search(/\S/);
  return indent < 0 ? -1 : indent;
}

/** A longer line is data: after so many parts, the rest of it is not worth an index. */
const MAX_LINE_PARTS = 4;

export type ChunkHead = Pick<Chunk, "kind" | "names" | "signatures" | "comment">;

/** The chunks of a range of lines. Its names and its comment are in the first. */
export function rangeChunks(lines: readonly string[], range: LineRange, head: ChunkHead, target?: number): Chunk[] {
  const chunks: Chunk[] = [];
  for (let { startRow, endRow } of cutLines(lines, range, target)) {
    while (startRow <= endRow && isBlankLine(lines[startRow])) startRow += 1;
    while (startRow <= endRow && isBlankLine(lines[endRow])) endRow -= 1;
    if (startRow > endRow) continue;
    const whole = lines.slice(startRow, endRow + 1).join("\n");
    for (const text of partsOf(whole)) {
      const own = chunks.length === 0 ? head : { ...head, names: [], comment: "" };
      chunks.push({ ...own, startLine: startRow + 1, endLine: endRow + 1, text });
    }
  }
  return chunks;
}

/** The text, or the first parts of one overlong line. */
function partsOf(text: string): string[] {
  if (text.length <= MAX_CHUNK_CHARACTERS) return [text];
  const parts: string[] = [];
  for (let start = 0; start < text.length && parts.length < MAX_LINE_PARTS; ) {
    const end = start + MAX_CHUNK_CHARACTERS;
    // Not between the halves of a surrogate pair.
    const length = MAX_CHUNK_CHARACTERS - ((text.codePointAt(end - 1) ?? 0) > 0xff_ff ? 1 : 0);
    parts.push(text.slice(start, start + length));
    start += length;
  }
  return parts;
}

export function isBlankLine(line = ""): boolean {
  return line.trim() === "";
}
