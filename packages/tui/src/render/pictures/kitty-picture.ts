import { type Row, row, span, style } from "../../text/style.ts";

/**
 * Kitty's images as text: sent once under a number, then drawn wherever cells contain the placeholder in the colour of
 * that number (https://sw.kovidgoyal.net/kitty/graphics-protocol/#unicode-placeholders). They scroll and are covered
 * like text.
 */
export const KITTY_PLACEHOLDER = "\u{10eeee}";
const CHUNK = 4_096;

/** The marks that number rows and columns, from 0 on: the beginning of kitty's table. */
const marks = (
  "0305 030d 030e 0310 0312 033d 033e 033f 0346 034a 034b 034c 0350 0351 0352 0357 035b 0363 0364 0365 0366 0367 0368 0369 " +
  "036a 036b 036c 036d 036e 036f 0483 0484 0485 0486 0487 0592 0593 0594 0595 0597 0598 0599 059c 059d 059e 059f 05a0 05a1 " +
  "05a8 05a9 05ab 05ac 05af 05c4 0610 0611 0612 0613 0614 0615 0616 0617 0657 0658"
)
  .split(" ")
  .map((hex) => String.fromCodePoint(Number.parseInt(hex, 16)));

export const MAX_PLACEHOLDERS = marks.length;

/** A size in cells. */
export type CellSize = { readonly columns: number; readonly rows: number };

/** The bytes that send the terminal a PNG under a number, to be drawn by its placeholders. */
export function transmitPicture(id: number, png: string, { columns, rows }: CellSize): string {
  const pieces: string[] = [];
  for (let at = 0; at < png.length; at += CHUNK) pieces.push(png.slice(at, at + CHUNK));
  const sent = pieces.map((piece, index) => {
    const more = index < pieces.length - 1 ? 1 : 0;
    const head = index === 0 ? `a=T,U=1,f=100,q=2,i=${id},c=${columns},r=${rows},m=${more}` : `q=2,m=${more}`;
    return `\u001b_G${head};${piece}\u001b\\`;
  });
  return sent.join("");
}

export function forgottenPicture(id: number): string {
  return `\u001b_Ga=d,d=I,q=2,i=${id}\u001b\\`;
}

/** The cells of an image; its number is a colour of the 256-colour palette. */
export function placeholderRows(id: number, { columns, rows }: CellSize): Row[] {
  const look = style({ fg: id });
  return marks.slice(0, rows).map((down) => {
    const cells = marks.slice(0, columns).map((across) => `${KITTY_PLACEHOLDER}${down}${across}`);
    return row(span(cells.join(""), look));
  });
}
