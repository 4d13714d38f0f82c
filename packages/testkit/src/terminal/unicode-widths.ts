import type { IUnicodeVersionProvider } from "@xterm/headless";

/** Ranges of East Asian Width W and F without emoji (Unicode 16), first and last code point. */
const wide: readonly (readonly [number, number])[] = [
  [0x1100, 0x115f],
  [0x2329, 0x232a],
  [0x2e80, 0x303e],
  [0x3041, 0x33ff],
  [0x3400, 0x4dbf],
  [0x4e00, 0x9fff],
  [0xa000, 0xa4cf],
  [0xa960, 0xa97c],
  [0xac00, 0xd7a3],
  [0xf900, 0xfaff],
  [0xfe10, 0xfe19],
  [0xfe30, 0xfe6b],
  [0xff01, 0xff60],
  [0xffe0, 0xffe6],
  [0x17000, 0x18cff],
  [0x1b000, 0x1b2ff],
  [0x1f200, 0x1f265],
  [0x20000, 0x2fffd],
  [0x30000, 0x3fffd],
];

const NO_CELL = /[\p{Mn}\p{Me}\p{Default_Ignorable_Code_Point}]/u;
const EMOJI = /\p{Emoji_Presentation}/u;

function widthOf(point: number): 0 | 1 | 2 {
  if (point < 0x20 || (point >= 0x7f && point < 0xa0)) return 0;
  if (point < 0x300) return 1;
  const character = String.fromCodePoint(point);
  if (NO_CELL.test(character)) return 0;
  return EMOJI.test(character) || wide.some(([first, last]) => point >= first && point <= last) ? 2 : 1;
}

/**
 * Widths as in today's terminals without grapheme clusters: each code point by itself, marks and joiners join the cell
 * before. The emulator's own table is from 2010 and knows no emoji.
 */
export const todaysWidths: IUnicodeVersionProvider = {
  version: "today",
  wcwidth: widthOf,
  charProperties(point, preceding) {
    const own = widthOf(point);
    const before = (preceding >> 1) & 3;
    const joins = own === 0 && before > 0;
    // The emulator's packed form: bits 1–2 width, bit 0 whether it joins the character before.
    return ((joins ? before : own) << 1) | (joins ? 1 : 0);
  },
};
