import fastStringWidth from "fast-string-width";

/** One character as the user sees it, and its width in cells: 0 (only a lone joiner or mark), 1 or 2. */
export type Grapheme = { readonly text: string; readonly width: number };

const ASCII = /^[\x20-\x7e]*$/;
/** Code points that can join with their neighbours; in a text without them every code point is a grapheme. */
const JOINING =
  /[\p{M}\p{Emoji_Modifier}\p{Regional_Indicator}\u200b-\u200d\u2060\ufeff\u1100-\u11ff\ua960-\ua97f\ud7b0-\ud7ff\u{e0000}-\u{e007f}]/u;

/** Memo of a pure function: there is one segmenter, and it has no state of its own. */
let segmenter: Intl.Segmenter | undefined;

/** Splits into graphemes; created on first use, because its tables take 50 ms to load. */
export function graphemeSegmenter(): Intl.Segmenter {
  segmenter ??= new Intl.Segmenter("en", { granularity: "grapheme" });
  return segmenter;
}

/** Ranges of letters of equal width, most frequent first; the library takes much longer. */
const stretches: readonly (readonly [from: number, to: number, width: number])[] = [
  [0x20, 0x7e, 1],
  [0xae, 0x2ff, 1],
  [0x4e00, 0x9fff, 2],
  [0x3041, 0x3096, 2],
  [0x30a0, 0x30ff, 2],
  [0xac00, 0xd7a3, 2],
  [0x400, 0x482, 1],
  [0x384, 0x3ff, 1],
  [0x2500, 0x259f, 1],
];

/** The width of one grapheme in cells. Ambiguous characters count as 1. */
function graphemeWidth(text: string): number {
  if (text.length === 1) {
    const code = text.charCodeAt(0);
    for (const [from, to, width] of stretches) if (code >= from && code <= to) return width;
  }
  // Joiners draw nothing; the library counts one that ends a cluster.
  return Math.min(2, fastStringWidth(text.replace(/[\u200c\u200d]+$/, "")));
}

export function isAscii(text: string): boolean {
  return ASCII.test(text);
}

/** Calls `visit` for each grapheme, in order; `index` is where it starts in UTF-16 units. */
export function eachGrapheme(text: string, visit: (grapheme: string, width: number, index: number) => void): void {
  if (isAscii(text)) {
    for (let index = 0; index < text.length; index++) visit(text[index] as string, 1, index);
    return;
  }
  if (JOINING.test(text)) {
    for (const { segment, index } of graphemeSegmenter().segment(text)) visit(segment, graphemeWidth(segment), index);
    return;
  }
  let index = 0;
  for (const character of text) {
    visit(character, graphemeWidth(character), index);
    index += character.length;
  }
}

export function graphemes(text: string): Grapheme[] {
  const found: Grapheme[] = [];
  eachGrapheme(text, (grapheme, width) => found.push({ text: grapheme, width }));
  return found;
}

/** The width in cells of a text without control characters. */
export function stringWidth(text: string): number {
  if (isAscii(text)) return text.length;
  let total = 0;
  eachGrapheme(text, (_, width) => {
    total += width;
  });
  return total;
}
