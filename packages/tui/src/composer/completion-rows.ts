import type { Completion } from "../state/composer.ts";
import { type Row, row, sanitiseLine, span, stringWidth, style, truncateText } from "../text/index.ts";
import { marked } from "../widgets/boxes.ts";
import { listWindow } from "../widgets/list-slice.ts";

const MAX_ROWS = 8;
const MUTED = style({ fg: "muted" });

type Size = { readonly columns: number; readonly rows: number };

/** Completions of the word at the cursor; Tab or Enter takes the marked row. */
export function completionRows(completion: Completion | undefined, { columns, rows }: Size): Row[] {
  if (!completion) return [];
  const { items, selected } = completion;
  const { from, to } = listWindow(selected, items.length, Math.max(2, Math.min(MAX_ROWS, rows - 8)));
  const labels = items.map(({ label }) => sanitiseLine(label));
  const nameColumns = Math.min(Math.max(...labels.map(stringWidth)) + 2, Math.floor(columns / 2));
  return items.slice(from, to).map(({ label, detail }, at) => {
    const name = detail === "" ? sanitiseLine(label) : inColumns(sanitiseLine(label), nameColumns);
    const room = columns - 4 - stringWidth(name);
    return row(
      span(" "),
      marked(name, { isMarked: from + at === selected }),
      span(truncateText(sanitiseLine(detail), room), MUTED),
    );
  });
}

/** With a space behind it at least. */
function inColumns(name: string, columns: number): string {
  const shown = truncateText(name, columns - 1);
  return shown + " ".repeat(columns - stringWidth(shown));
}
