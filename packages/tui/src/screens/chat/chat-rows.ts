import { aboveInput } from "../../composer/above-input.ts";
import { dialogPlace } from "../../dialogs/dialog-layout-input.ts";
import type { FramedRows } from "../../dialogs/framed-rows.ts";
import { dialogRow, hasAllRows } from "../../dialogs/index.ts";
import type { ChromeView } from "../../state/chrome-view.ts";
import { firstSentence } from "../../text/first-sentence.ts";
import { type Row, span, style, textLines, wrapSpans } from "../../text/index.ts";
import type { Role } from "../../theme/theme.ts";
import { inset } from "../../widgets/boxes.ts";
import { todoPanel } from "./todo-panel.ts";
import { waitingRows } from "./waiting-rows.ts";

/** Below this height only the dialog is shown, without the rows around it. */
const ROOMY_ROWS = 30;
/** Status, input and HUD. */
const FOOT_ROWS = 5;
const NONE: FramedRows = { rows: [] };

/** The rows between transcript and input. */
export type ChatRows = { readonly above: Row[]; readonly dialog: FramedRows; readonly below: Row[] };

/** Dialogs, the waiting items above them, and the rows of the input. */
export function chatRows(view: ChromeView): ChatRows {
  const { dialogs, secondsLeft } = view;
  const [dialog] = dialogs;
  const place = dialogPlace(view);
  const framed = dialog ? dialogRow(dialog).rows(dialog, place, secondsLeft) : NONE;
  const below = dialog && hasAllRows(dialog, place) ? [] : rowsBelowDialog(view, framed.rows.length);
  return { above: rowsAboveDialog(view), dialog: framed, below };
}

/** The rows that belong to the input. They must not push a dialog off the screen, except for completion menus. */
function rowsBelowDialog(view: ChromeView, dialogRows: number): Row[] {
  const { size, completion, search } = view;
  if (dialogRows === 0) return aboveInput(view);
  // "/undo reverts this" would be read as a word about what is asked.
  const notes = isFull(view) ? [] : view.notes.filter(({ of }) => of !== "undo");
  const rows = aboveInput({ ...view, notes });
  return completion || search ? rows : rows.slice(0, Math.max(0, size.rows - FOOT_ROWS - dialogRows));
}

/** If there is not enough room, these are cut. */
function rowsAboveDialog(view: ChromeView): Row[] {
  const { reading, size } = view;
  const wrapped = (text: string, role: Role): Row[] =>
    inset(
      textLines(text).flatMap((line) => wrapSpans([span(line, style({ fg: role }))], size.columns - 2)),
      size.columns,
    );
  return [
    // The first sentence says which process holds the session; the rest was shown when it was opened.
    ...(reading?.why === "elsewhere"
      ? wrapped(`Open elsewhere: reading only. ${firstSentence(reading.text).first}`, "warning")
      : []),
    ...(reading?.why === "loading" ? wrapped("Loading the earlier messages…", "muted") : []),
    ...(isFull(view) ? [] : [...todoPanel(view), ...waitingRows(view)]),
  ];
}

function isFull({ dialogs, size }: ChromeView): boolean {
  return dialogs.length > 0 && size.rows < ROOMY_ROWS;
}
