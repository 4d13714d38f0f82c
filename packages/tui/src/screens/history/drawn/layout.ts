import type { KeyLabels } from "../../../keymap/key-labels.ts";
import type { AppState } from "../../../state/app-state.ts";
import type { Row } from "../../../text/index.ts";
import { noteRows } from "../../../widgets/note-rows.ts";
import type { HistoryState } from "../state.ts";
import { footerRows } from "./footer-rows.ts";

/** From this width on, the preview is beside the list. */
const WIDE = 96;
/** With fewer rows between head and footer, the list has all of them. */
const LEAST_BODY = 9;
const HEAD_ROWS = 2;
const STATUS_ROW = 1;
/** A blank above and below the list, where there is room. */
const ROOMY = 16;

type Surroundings = Pick<AppState, "size" | "link">;

/** The rows and cells that each part of the screen has. */
export type HistoryLayout = {
  readonly isWide: boolean;
  readonly gap: number;
  readonly list: { readonly columns: number; readonly rows: number };
  readonly preview: { readonly columns: number; readonly rows: number };
  readonly footer: readonly Row[];
  readonly notes: readonly Row[];
};

export function historyLayout(history: HistoryState, { size, link }: Surroundings, keys: KeyLabels): HistoryLayout {
  const columns = Math.max(1, size.columns - 2);
  const footer = footerRows(history, keys, columns);
  const field = history.renaming || history.exporting ? 1 : 0;
  const notes = noteRows({ link, size, keys, notes: [] });
  const gap = size.rows >= ROOMY ? 1 : 0;
  const others = HEAD_ROWS + gap * 2 + footer.length + field + notes.length + STATUS_ROW;
  const body = Math.max(1, size.rows - others);
  const isWide = size.columns >= WIDE;
  const parts = { isWide, gap, footer, notes };
  if (history.reading) return { ...parts, list: { columns, rows: 0 }, preview: { columns, rows: body } };
  if (isWide) {
    const half = Math.floor(columns / 2);
    return { ...parts, list: { columns: half, rows: body }, preview: { columns: columns - half - 3, rows: body } };
  }
  const rows = body < LEAST_BODY ? body : Math.ceil(body * 0.6);
  return { ...parts, list: { columns, rows }, preview: { columns, rows: Math.max(0, body - rows - 1) } };
}
