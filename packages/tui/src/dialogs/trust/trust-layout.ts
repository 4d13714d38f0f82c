import { type TrustDialog, trustOptions } from "../../state/trust-dialog.ts";
import type { Row } from "../../text/index.ts";
import { type BodyView, bodyView } from "../scroll-body.ts";
import { trustRows } from "./trust-rows.ts";

/** Borders and padding at both sides. */
const MARGIN = 4;
/** Rows besides body and answers: borders, title, what was wrong, keys. */
const OTHER = 5;

export type TrustLayout = BodyView & {
  /** A line for each answer, or one for all of them. */
  readonly answers: readonly string[];
};

/** On a lower screen the answers are put in one row. */
const LOW_ROWS = 14;

type Size = { readonly columns: number; readonly rows: number };

/** The parts of the dialog that fit. The keyboard uses it too: only what was in view can be trusted. */
export function trustLayout({ view, scroll: at }: TrustDialog, { columns, rows }: Size): TrustLayout {
  const body = bodyOf(view, columns - MARGIN);
  const options = trustOptions(view);
  const answers =
    rows < LOW_ROWS
      ? [options.map(({ keys: [key], short }) => `${key} ${short}`).join(" · ")]
      : options.map(({ keys: [key], name }, index) => `${key}/${index + 1} ${name}`);
  return { answers, ...bodyView(body, at, Math.max(1, rows - OTHER - answers.length)) };
}

const bodies = new WeakMap<TrustDialog["view"], { width: number; rows: readonly Row[] }>();

/** Wrapped once, not with every key. */
function bodyOf(view: TrustDialog["view"], width: number): readonly Row[] {
  const known = bodies.get(view);
  if (known?.width === width) return known.rows;
  const rows = trustRows(view, width);
  bodies.set(view, { width, rows });
  return rows;
}
