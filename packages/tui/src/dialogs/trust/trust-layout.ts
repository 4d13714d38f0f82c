import { type TrustDialog, trustOptions } from "../../state/trust-dialog.ts";
import type { Row } from "../../text/index.ts";
import { trustRows } from "./trust-rows.ts";

/** Borders and padding at both sides. */
const MARGIN = 4;
/** Rows besides body and answers: borders, title, what was wrong, keys. */
const OTHER = 5;

export type TrustLayout = {
  readonly shown: readonly Row[];
  readonly hidden: number;
  readonly scroll: number;
  readonly maxScroll: number;
  readonly page: number;
  /** A line for each answer, or one for all of them. */
  readonly answers: readonly string[];
};

/** On a lower screen the answers stand in one row. */
const LOW_ROWS = 14;

type Size = { readonly columns: number; readonly rows: number };

/** What of the dialog fits on the screen; the keyboard asks too, for nobody can trust what was not in view. */
export function trustLayout({ view, scroll: at }: TrustDialog, { columns, rows }: Size): TrustLayout {
  const body = bodyOf(view, columns - MARGIN);
  const options = trustOptions(view);
  const answers =
    rows < LOW_ROWS
      ? [options.map(({ keys: [key], short }) => `${key} ${short}`).join(" · ")]
      : options.map(({ keys: [key], name }, index) => `${key}/${index + 1} ${name}`);
  const room = Math.max(1, rows - OTHER - answers.length);
  const page = body.length <= room ? room : Math.max(1, room - 1);
  const maxScroll = Math.max(0, body.length - page);
  const scroll = Math.min(at, maxScroll);
  const shown = body.slice(scroll, scroll + page);
  return { shown, hidden: body.length - scroll - shown.length, scroll, maxScroll, page, answers };
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
