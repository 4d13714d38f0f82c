import { EMPTY_ROW, type Row } from "../text/index.ts";
import { titledFrame } from "../widgets/boxes.ts";
import type { Field } from "../widgets/line-field.tsx";

/** A dialog in its frame. `field`: typed in row `at`, inside the frame's edges. */
export type FramedRows = {
  readonly rows: readonly Row[];
  readonly field?: Field & { readonly at: number };
};

/** Frames the rows of a dialog; one of them may be a field. */
export function framedRows(rows: readonly (Row | Field)[], frame: Parameters<typeof titledFrame>[1]): FramedRows {
  const framed = titledFrame(
    rows.map((each) => (isField(each) ? EMPTY_ROW : each)),
    frame,
  );
  const at = rows.findIndex(isField);
  const field = rows[at];
  // The frame's own first row comes before them.
  return field && isField(field) ? { rows: framed, field: { ...field, at: at + 1 } } : { rows: framed };
}

function isField(row: Row | Field): row is Field {
  return "label" in row;
}
