import { EMPTY_ROW, type Row } from "../text/style.ts";
import type { Cursor } from "./frame.ts";
import { insertRow } from "./insert-row.ts";

/** The size of a leaf in cells. */
export type Extent = { readonly columns: number; readonly rows: number };

/** The position of a leaf on the screen, in cells; `y` is negative if its top is above the screen. */
export type Placement = Extent & { readonly x: number; readonly y: number };

/** Rows of cells, and the terminal cursor in them. */
export type Painting = { readonly rows: readonly Row[]; readonly cursor?: Cursor | undefined };

/** A part of the tree that is painted from rows; to Ink it is an empty box. */
export type Leaf = {
  readonly name?: string | undefined;
  /** Where Ink has laid it out; undefined while it is not mounted. */
  measure(): Placement | undefined;
  paint(extent: Extent): Painting;
};

type PlacedLeaf = { readonly leaf: Leaf; readonly at: Placement };

const NOTHING: Painting = { rows: [] };

/** A screen: what Ink has drawn, with the leaves painted into the gaps it left for them. */
export class Canvas {
  readonly #leaves = new Set<Leaf>();
  #placed: readonly PlacedLeaf[] = [];
  /** Ink has laid out the tree, or a leaf was added or removed, since the leaves were measured. */
  #isStale = false;
  #ink = NOTHING;

  /** Adds a leaf; returns a function that removes it. */
  add(leaf: Leaf): () => void {
    this.#leaves.add(leaf);
    this.#isStale = true;
    return () => {
      this.#leaves.delete(leaf);
      this.#isStale = true;
    };
  }

  /** Ink has laid out the tree, and drawn its texts. */
  laidOut(ink: Painting): void {
    this.#ink = ink;
    this.#isStale = true;
  }

  /** Paints every leaf. A row that a leaf fills from edge to edge is the leaf's own object. */
  paint({ columns, rows: height }: Extent): Painting {
    this.#measure();
    const rows = Array.from({ length: height }, (_, y) => this.#ink.rows[y] ?? EMPTY_ROW);
    let { cursor } = this.#ink;
    for (const { leaf, at } of this.#placed) {
      if (at.rows <= 0 || at.columns <= 0) continue;
      const painted = leaf.paint(at);
      for (let line = Math.max(0, -at.y); line < at.rows && at.y + line < height; line += 1) {
        const own = painted.rows[line] ?? EMPTY_ROW;
        const isWide = at.x === 0 && at.columns >= columns;
        rows[at.y + line] = isWide ? own : insertRow(rows[at.y + line] ?? EMPTY_ROW, own, at);
      }
      const own = painted.cursor && { x: at.x + painted.cursor.x, y: at.y + painted.cursor.y };
      if (own && own.y >= 0 && own.y < height) cursor ??= own;
    }
    return { rows, cursor };
  }

  /** The position of the leaf with this name; undefined while it is not on the screen. */
  placeOf(name: string): Placement | undefined {
    this.#measure();
    const found = this.#placed.find(({ leaf, at }) => leaf.name === name && at.rows > 0);
    return found?.at;
  }

  /** From top to bottom: of several cursors the uppermost is shown. */
  #measure(): void {
    if (!this.#isStale) return;
    this.#isStale = false;
    const placed = [...this.#leaves].flatMap((leaf) => {
      const at = leaf.measure();
      return at ? [{ leaf, at }] : [];
    });
    this.#placed = placed.sort((a, b) => a.at.y - b.at.y || a.at.x - b.at.x);
  }
}
