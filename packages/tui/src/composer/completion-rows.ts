import type { Completion } from "../state/composer.ts";
import { type Row, row, sanitiseLine, span, stringWidth, style, truncateText } from "../text/index.ts";
import { listMarker } from "../widgets/boxes.ts";
import { listWindow } from "../widgets/list-slice.ts";

const MAX_ROWS = 8;
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
  const labels = items.map(({ label }) => sanitiseLine(label));
  const nameColumns = Math.min(Math.max(0, ...labels.map(stringWidth)) + 2, Math.floor(columns / 2));
  const shown = items.slice(from, to).map(({ label, detail }, at) => {
    const name = detail === "" ? sanitiseLine(label) : inColumns(sanitiseLine(label), nameColumns);
    const left = columns - 4 - stringWidth(name);
    return row(
      span(" "),
      listMarker(name, { isMarked: from + at === selected }),
      span(truncateText(sanitiseLine(detail), left), MUTED),
    );
  });
  const usage = hint === undefined ? [] : [row(span(truncateText(`   ${sanitiseLine(hint)}`, columns), MUTED))];
  return [...usage, ...shown, ...(isLong ? [moreRow(from, items.length - to)] : [])];
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
