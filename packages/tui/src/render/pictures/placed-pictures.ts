import { type InlinePicture, type Row, type Span, style } from "../../text/style.ts";

/** An image that is entirely in view, and its first row on the screen. */
export type PlacedPicture = { readonly picture: InlinePicture; readonly y: number };

/** The images whose rows are all present, one below another. */
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

const OUT_OF_VIEW: Span = { text: "(image: scroll to see all of it)", style: style({ fg: "muted" }) };

/** A terminal cannot draw part of an image, so each image not entirely in view is replaced by a line. */
export class PlainLines {
  /** The same input gives the same row, as rows are compared by identity. */
  readonly #made = new WeakMap<Row, Row>();

  in(rows: readonly Row[], placed: readonly PlacedPicture[]): Row[] {
    return rows.map((row, y) => {
      const picture = row.picture?.picture;
      if (!picture || picture === rows[y - 1]?.picture?.picture) return row;
      return placed.some((each) => each.y === y && each.picture === picture) ? row : this.#plain(row);
    });
  }

  #plain(row: Row): Row {
    const line = this.#made.get(row) ?? { ...row, spans: [...row.spans, OUT_OF_VIEW] };
    this.#made.set(row, line);
    return line;
  }
}

export function isSamePlace(one: PlacedPicture, other: PlacedPicture): boolean {
  return one.picture === other.picture && one.y === other.y;
}

/** The bytes that draw an image and restore the cursor and its style. */
export function drawPicture({ picture, y }: PlacedPicture): string {
  return `\u001b7\u001b[${y + 1};${picture.x + 1}H${picture.bytes}\u001b8`;
}
