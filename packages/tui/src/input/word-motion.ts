import { graphemeSegmenter } from "../text/width.ts";

/** Borders of graphemes and words within one line of text; offsets are UTF-16 units. */

/** The longest text examined around an offset: real clusters are never longer. */
const WINDOW = 64;

export function nextGrapheme(text: string, offset: number): number {
  const code = text.charCodeAt(offset);
  const next = text.charCodeAt(offset + 1);
  if (code < 0x7f && !(next > 0x7f)) return offset + 1;
  for (const { segment } of graphemeSegmenter().segment(text.slice(offset, offset + WINDOW)))
    return offset + segment.length;
  return text.length;
}

export function previousGrapheme(text: string, offset: number): number {
  if (text.charCodeAt(offset - 1) < 0x7f) return offset - 1;
  let from = Math.max(0, offset - WINDOW);
  const code = text.charCodeAt(from);
  if (code >= 0xdc00 && code < 0xe000) from -= 1;
  let last = from;
  for (const { index } of graphemeSegmenter().segment(text.slice(from, offset))) last = from + index;
  return last;
}

type Kind = "space" | "word" | "other";

function kindOf(character: string): Kind {
  if (/\s/u.test(character)) return "space";
  return /[\p{L}\p{N}\p{M}_]/u.test(character) ? "word" : "other";
}

/** End of the word at or after the offset. */
export function nextWord(text: string, offset: number): number {
  let at = offset;
  let kind: Kind | undefined;
  for (const character of text.slice(offset)) {
    const here = kindOf(character);
    if (kind === undefined && here !== "space") kind = here;
    else if (kind !== undefined && here !== kind) break;
    at += character.length;
  }
  return at;
}

/** Start of the word at or before the offset. */
export function previousWord(text: string, offset: number): number {
  let at = offset;
  let kind: Kind | undefined;
  while (at > 0) {
    const low = text.charCodeAt(at - 1);
    const size = low >= 0xdc00 && low < 0xe000 && at > 1 ? 2 : 1;
    const here = kindOf(text.slice(at - size, at));
    if (kind === undefined && here !== "space") kind = here;
    else if (kind !== undefined && here !== kind) break;
    at -= size;
  }
  return at;
}
