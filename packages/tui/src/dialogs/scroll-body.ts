import { hints, type KeyLabels } from "../keymap/key-labels.ts";
import { type Row, row, span, stringWidth, style } from "../text/index.ts";
import type { Role } from "../theme/theme.ts";

/** Rows per click of the wheel. */
export const WHEEL_ROWS = 3;

/** The part of a dialog's body that is in view. */
export type BodyView = {
  readonly shown: readonly Row[];
  /** The number of rows below those in view. */
  readonly hidden: number;
  /** The first row in view, at most `maxScroll`; `page` is the number of rows to page by. */
  readonly scroll: number;
  readonly maxScroll: number;
  readonly page: number;
};

/** The part of a body that fits, from row `at` on. A scrolling body leaves `hintRows` for a hint. */
export function bodyView(rows: readonly Row[], at: number, room: number, hintRows = 1): BodyView {
  const page = rows.length <= room ? room : Math.max(1, room - hintRows);
  const maxScroll = Math.max(0, rows.length - page);
  const scroll = Math.min(at, maxScroll);
  const shown = rows.slice(scroll, scroll + page);
  return { shown, hidden: rows.length - scroll - shown.length, scroll, maxScroll, page };
}

/** `width`: of the row, in cells. */
type Pages = {
  readonly of: "permission" | "review" | "trust";
  readonly keys: KeyLabels;
  readonly tooEarly: boolean;
  readonly width: number;
};

/** Says how much is below, or that the end is in view; nothing for a body that fits. */
export function restRows({ hidden, maxScroll }: BodyView, { of, keys, tooEarly, width }: Pages): Row[] {
  if (maxScroll === 0) return [];
  const back = keys.say(`${of}.pageUp`, (key) => ` ${key} goes back.`);
  if (hidden === 0) return [firstThatFits([`The end.${back}`, "The end."], width, "muted")];
  const [more, end] = [`↓ ${hidden} more`, keys.say(`${of}.last`, (key) => `${key} shows the rest`)];
  const short = hints(
    more,
    keys.say(`${of}.last`, (key) => key),
  );
  const first = end === "" ? "See the rest first" : `${end}, then answer`;
  return tooEarly
    ? [firstThatFits([hints(more, first), hints(more, end), short, more], width, "warning")]
    : [firstThatFits([hints(more, end), short, more], width, "muted")];
}

function firstThatFits(texts: readonly string[], width: number, role: Role): Row {
  const text = texts.find((each) => stringWidth(each) <= width) ?? texts.at(-1) ?? "";
  return row(span(text, style({ fg: role })));
}

/** How far a key of a dialog scrolls its body. */
export function rowsToScroll(
  key: "pageUp" | "pageDown" | "first" | "last",
  { page, maxScroll }: Pick<BodyView, "page" | "maxScroll">,
): number {
  return { pageUp: -page, pageDown: page, first: -maxScroll, last: maxScroll }[key];
}

/** The scroll position after scrolling. */
export function scrolledBy(by: number, body: BodyView): { readonly scroll: number } {
  return { scroll: Math.max(0, Math.min(body.maxScroll, body.scroll + by)) };
}
