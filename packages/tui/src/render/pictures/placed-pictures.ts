import type { InlinePicture, Row } from "../../text/style.ts";

/** A picture that is whole in view, and its first row on the screen. */
export type PlacedPicture = { readonly picture: InlinePicture; readonly y: number };

/** The pictures of which all rows are there, one under the other; others are left blank. */
export function placedPictures(rows: readonly Row[]): PlacedPicture[] {
  const placed: PlacedPicture[] = [];
  for (let y = 0; y < rows.length; y++) {
    const slice = rows[y]?.picture;
    if (slice?.at !== 0) continue;
    const { picture } = slice;
    const isWhole = Array.from({ length: picture.rows }, (_, at) => rows[y + at]?.picture).every(
      (each, at) => each?.picture === picture && each.at === at,
    );
    if (isWhole) placed.push({ picture, y });
  }
  return placed;
}

export function isSamePlace(one: PlacedPicture, other: PlacedPicture): boolean {
  return one.picture === other.picture && one.y === other.y;
}

/** The bytes that draw a picture, with the cursor and its style as they were. */
export function drawn({ picture, y }: PlacedPicture): string {
  return `\u001b7\u001b[${y + 1};${picture.x + 1}H${picture.bytes}\u001b8`;
}
