import { isPartOfEmoji } from "./emoji.ts";

/** Characters other than letters, marks, digits, punctuation, symbols and blanks; blank-looking letters; lone marks. */
const DOUBTFUL =
  /[^\p{L}\p{M}\p{N}\p{P}\p{S} ]|[\p{Default_Ignorable_Code_Point}\u2800]|(?<!\S) {17,}|(?<=\S) {4,}|\p{M}{11,}|(?<![\p{L}\p{M}\p{N}\p{P}\p{S}])\p{M}/gu;

/** `isCode`: it replaces characters that would be invisible. */
export type VisiblePiece = { readonly text: string; readonly isCode: boolean };

/**
 * Prepares a text for a question to the user: nothing is dropped. Controls, bidi, zero-width (except within emoji),
 * fillers, strange blanks, lone surrogates, private and unassigned characters become codes; long runs of blanks (other
 * than an indent) become a count. Newlines are shown too: split the text first to keep its lines.
 */
export function visiblePieces(text: string): VisiblePiece[] {
  const pieces: VisiblePiece[] = [];
  let end = 0;
  for (const match of text.matchAll(DOUBTFUL)) {
    const [doubtful] = match;
    if (isPartOfEmoji(doubtful, text, match.index)) continue;
    if (match.index > end) pieces.push({ text: text.slice(end, match.index), isCode: false });
    pieces.push({ text: codeFor(doubtful), isCode: true });
    end = match.index + doubtful.length;
  }
  if (end < text.length) pieces.push({ text: text.slice(end), isCode: false });
  return pieces;
}

export function visibleText(text: string): string {
  return visiblePieces(text)
    .map((piece) => piece.text)
    .join("");
}

function codeFor(doubtful: string): string {
  if (doubtful.startsWith(" ")) return `⟨${doubtful.length} spaces⟩`;
  if (/^\p{M}/u.test(doubtful) && doubtful.length > 1) return `⟨${[...doubtful].length} marks⟩`;
  return codeOfCharacter(doubtful);
}

function codeOfCharacter(character: string): string {
  const point = character.codePointAt(0) ?? 0;
  if (character === "\t") return "⟶";
  if (character === "\n") return "\\n";
  if (character === "\r") return "\\r";
  if (point < 0x20) return String.fromCodePoint(0x2400 + point);
  if (point === 0x7f) return "␡";
  return `⟨U+${point.toString(16).toUpperCase().padStart(4, "0")}⟩`;
}
