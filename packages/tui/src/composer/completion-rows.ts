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
  const width = Math.max(...items.map(({ label }) => label.length));
  return items.slice(from, to).map(({ label, detail }, at) => {
    const name = detail === "" ? sanitiseLine(label) : sanitiseLine(label).padEnd(Math.min(30, width + 4) - 2);
    const room = columns - 4 - stringWidth(name);
    return row(
      span(" "),
      marked(name, { isMarked: from + at === selected }),
      span(truncateText(sanitiseLine(detail), room), MUTED),
    );
  });
}
