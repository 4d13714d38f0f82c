/** No part of a word: spaces, punctuation, symbols, lone surrogates. */
const SEPARATOR = 0;
/** A letter, a digit, a combining mark or an underscore. */
export const LETTER = 1;
/** A letter of a script that is written without spaces between words. */
export const UNSPACED = 2;
const UNKNOWN = 3;

const unspaced = /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Thai}\p{sc=Lao}\p{sc=Khmer}\p{sc=Myanmar}]/u;
const letter = /[\p{L}\p{N}\p{M}_]/u;

const known = new Uint8Array(0x1_00_00).fill(UNKNOWN);

/** One of the three above. */
export function letterKind(codePoint: number): number {
  if (codePoint > 0xff_ff) return examine(codePoint);
  const kind = known[codePoint] ?? UNKNOWN;
  if (kind !== UNKNOWN) return kind;
  const examined = examine(codePoint);
  known[codePoint] = examined;
  return examined;
}

function examine(codePoint: number): number {
  const character = String.fromCodePoint(codePoint);
  if (unspaced.test(character)) return UNSPACED;
  return letter.test(character) ? LETTER : SEPARATOR;
}
