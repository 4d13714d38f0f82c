import type { Row } from "./style.ts";

/** Rows that need not be in one array: a long, growing text can return the same ones again without copying. */
export type VirtualRows = { readonly height: number; row(index: number): Row | undefined };

export function arrayRows(rows: readonly Row[]): VirtualRows {
  return { height: rows.length, row: (index) => rows[index] };
}

export const NO_ROWS: VirtualRows = arrayRows([]);

/** Stacks the parts, one below the other. */
export function stackRows(parts: readonly VirtualRows[]): VirtualRows {
  const [only] = parts;
  if (parts.length === 1 && only) return only;
  let height = 0;
  for (const part of parts) height += part.height;
  return {
    height,
    row(index) {
      let rest = index;
      for (const part of parts) {
        if (rest < part.height) return part.row(rest);
        rest -= part.height;
      }
      return undefined;
    },
  };
}

/** Maps each row when it is read; the same row gives the same result as long as `parts` keeps its rows. */
export function mapRows(rows: VirtualRows, change: (row: Row, index: number) => Row): VirtualRows {
  return {
    height: rows.height,
    row(index) {
      const found = rows.row(index);
      return found && change(found, index);
    },
  };
}
