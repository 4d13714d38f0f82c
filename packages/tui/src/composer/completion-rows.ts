import type { Completion, CompletionItem } from "../state/composer.ts";
import { type Row, row, sanitiseLine, span, stringWidth, style, truncateText } from "../text/index.ts";
import { listMarker } from "../widgets/boxes.ts";
import { listWindow } from "../widgets/list-slice.ts";

const MAX_ROWS = 8;
/** Columns for names with what may follow them. */
const MAX_NAME = 34;
const FOLLOWS_AT = 30;
/** A shorter beginning of what it does says nothing. */
const MIN_DETAIL = 8;
const MUTED = style({ fg: "muted" });

type Size = { readonly columns: number; readonly rows: number };

/** Completions of the word at the cursor; Tab or Enter takes the marked row. */
export function completionRows(completion: Completion | undefined, { columns, rows }: Size): Row[] {
  if (!completion) return [];
  const { items, selected, hint } = completion;
  const room = Math.max(2, Math.min(MAX_ROWS, rows - 8));
  // The last row shows the number of further items.
  const isLong = items.length > room;
  const { from, to } = listWindow(Math.max(0, selected), items.length, isLong ? room - 1 : room);
  const names = items.map(({ label }) => stringWidth(sanitiseLine(label)));
  const most = Math.min(MAX_NAME, Math.floor(columns / 2));
  // One long name must not move the descriptions of all others away.
  const nameColumns = Math.max(0, ...names.filter((each) => each + 2 <= most)) + 2;
  const shown = items.slice(from, to).map((item, at) => {
    const isMarked = from + at === selected;
    return itemRow(item, { isMarked, columns, nameColumns: Math.min(Math.max(nameColumns, FOLLOWS_AT), most) });
  });
  const usage = hint === undefined ? [] : [row(span(truncateText(`   ${sanitiseLine(hint)}`, columns), MUTED))];
  return [...usage, ...shown, ...(isLong ? [moreRow(from, items.length - to)] : [])];
}

type ItemLayout = { isMarked: boolean; columns: number; nameColumns: number };

/** The name, what may follow it if there is room, and what it does. */
function itemRow({ label, follows = "", detail }: CompletionItem, { isMarked, columns, nameColumns }: ItemLayout): Row {
  const name = sanitiseLine(label);
  if (detail === "") return row(span(" "), listMarker(name, { isMarked }));
  const rest = nameColumns - stringWidth(name) - 1;
  const room = rest >= stringWidth(follows) + 1 ? rest : 0;
  const shown = room > 0 && follows !== "" ? inColumns(sanitiseLine(follows), room) : " ".repeat(Math.max(0, rest));
  const gap = rest < 0 ? "  " : " ";
  const left = columns - 4 - stringWidth(name) - gap.length - Math.max(0, rest);
  if (left < MIN_DETAIL) return row(span(" "), listMarker(truncateText(name, columns - 3), { isMarked }));
  return row(
    span(" "),
    listMarker(`${name}${gap}`, { isMarked }),
    span(shown, MUTED),
    span(truncateText(sanitiseLine(detail), left), MUTED),
  );
}

function moreRow(above: number, below: number): Row {
  const parts = [...(above > 0 ? [`↑ ${above}`] : []), ...(below > 0 ? [`↓ ${below}`] : [])];
  return row(span(`   ${parts.join(" · ")} more`, MUTED));
}

/** Followed by at least one space. */
function inColumns(name: string, columns: number): string {
  const shown = truncateText(name, columns - 1);
  return shown + " ".repeat(columns - stringWidth(shown));
}
