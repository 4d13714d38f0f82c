import type { ImagePart } from "@harness/protocol";
import type { InlinePicture, Row } from "../../text/style.ts";
import type { Graphics } from "./graphics.ts";
import {
  type CellSize,
  forgottenPicture,
  MAX_PLACEHOLDERS,
  placeholderRows,
  transmitPicture,
} from "./kitty-picture.ts";
import { sixelPicture } from "./sixel.ts";

export type PictureBox = { data: string; widthPx: number; heightPx: number; form: "png" | "rgba" };

export type PicturePorts = {
  /** Asks the terminal; undefined if it cannot draw images. */
  graphics(): Promise<Graphics | undefined>;
  /** An image in the size and form for drawing; undefined if it cannot be drawn. */
  draw(box: PictureBox): Promise<{ data: string; widthPx: number; heightPx: number } | undefined>;
  write(data: string): void;
  /** New images are available: rows made earlier lack them. */
  changed(): void;
};

const MAX_COLUMNS = Math.min(60, MAX_PLACEHOLDERS);
const MAX_ROWS = 16;
/** How many images are cached for drawing; those unseen for longest are dropped. */
const MAX_KEPT = 16;
/** Numbers of kitty's images: palette colours that are the same everywhere. */
const FIRST_ID = 32;

type Entry = { columns: number; rows: readonly Row[]; id: number | undefined };

/**
 * Images of the transcript as rows, once the terminal has replied and the image is available; until then there are
 * none.
 */
export class DrawnPictures {
  readonly #ports: PicturePorts;
  readonly #entries = new Map<ImagePart, Entry>();
  #graphics: Promise<Graphics | undefined> | undefined;
  #isPointless = false;
  #nextId = FIRST_ID;
  #last: Promise<void> = Promise.resolve();
  /** Grows with each change, which makes earlier rows out of date. */
  generation = 0;

  constructor(ports: PicturePorts) {
    this.#ports = ports;
  }

  /** Rows at column `x` of the screen, at most `width` wide. */
  rowsOf(part: ImagePart, x: number, width: number): readonly Row[] {
    if (this.#isPointless) return [];
    const columns = Math.min(MAX_COLUMNS, width);
    const known = this.#entries.get(part);
    if (known?.columns === columns) {
      this.#entries.delete(part);
      this.#entries.set(part, known);
      return known.rows;
    }
    if (known) this.#forget(part, known);
    const entry: Entry = { columns, rows: [], id: undefined };
    this.#entries.set(part, entry);
    this.#last = this.#last.then(() => this.#make(part, entry, x)).catch(() => undefined);
    return [];
  }

  /** Makes the terminal delete all images. */
  close(): void {
    for (const [part, entry] of this.#entries) this.#forget(part, entry);
    this.#isPointless = true;
  }

  async #make(part: ImagePart, entry: Entry, x: number): Promise<void> {
    this.#graphics ??= this.#ports.graphics();
    const graphics = await this.#graphics;
    if (!graphics) this.#isPointless = true;
    if (!graphics || this.#entries.get(part) !== entry) return;
    const { way, cell } = graphics;
    const drawing = await this.#ports.draw({
      data: part.data,
      widthPx: entry.columns * cell.widthPx,
      heightPx: MAX_ROWS * cell.heightPx,
      form: way === "sixel" ? "rgba" : "png",
    });
    if (!drawing || this.#entries.get(part) !== entry || this.#isPointless) return;
    const { data, widthPx, heightPx } = drawing;
    const columns = Math.min(entry.columns, Math.ceil(widthPx / cell.widthPx));
    const size = { columns, rows: Math.min(MAX_ROWS, Math.ceil(heightPx / cell.heightPx)) };
    if (way === "placeholders") {
      entry.id = this.#newId();
      this.#ports.write(transmitPicture(entry.id, data, size));
      entry.rows = placeholderRows(entry.id, size);
    } else {
      const rgba = () => sixelPicture({ rgba: Buffer.from(data, "base64"), widthPx, heightPx });
      entry.rows = inlineRows({ ...size, x, bytes: way === "sixel" ? rgba() : itermPicture(data, size) });
    }
    this.#trim();
    this.generation += 1;
    this.#ports.changed();
  }

  #newId(): number {
    const taken = new Set([...this.#entries.values()].map(({ id }) => id));
    do this.#nextId = this.#nextId >= 255 ? FIRST_ID : this.#nextId + 1;
    while (taken.has(this.#nextId));
    return this.#nextId;
  }

  #trim(): void {
    for (const [part, entry] of this.#entries) {
      if (this.#entries.size <= MAX_KEPT) return;
      this.#forget(part, entry);
    }
  }

  #forget(part: ImagePart, { id }: Entry): void {
    this.#entries.delete(part);
    if (id !== undefined) this.#ports.write(forgottenPicture(id));
  }
}

/** Blank rows that the image is drawn over. */
function inlineRows(picture: InlinePicture): Row[] {
  return Array.from({ length: picture.rows }, (_, at) => ({ spans: [], picture: { picture, at } }));
}

function itermPicture(png: string, { columns, rows }: CellSize): string {
  const size = Buffer.byteLength(png, "base64");
  const place = `width=${columns};height=${rows};preserveAspectRatio=1;doNotMoveCursor=1`;
  return `\u001b]1337;File=inline=1;size=${size};${place}:${png}\u0007`;
}
