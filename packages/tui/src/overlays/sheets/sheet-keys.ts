import type { InputEvent } from "../../input/index.ts";
import { windowKey } from "../../keymap/window-keys.ts";
import { SHEET_END, type SheetOverlay } from "../../state/app-state.ts";
import type { Store } from "../../state/store.ts";
import { sheetRows } from "./sheet-rows.ts";

const WHEEL_ROWS = 3;

/** Keys of help and its kin: scroll, close. */
export function sheetKey(store: Store, sheet: SheetOverlay, event: InputEvent): void {
  const state = store.get();
  const { rows } = state.size;
  const last = Math.max(0, sheetRows(sheet, state).length - (rows - 2));
  const by = (count: number): void => {
    const to = Math.max(0, Math.min(last, Math.min(last, sheet.scroll) + count));
    // What still grows is followed from its end on.
    const scroll = to === last && sheet.kind === "doctor" ? SHEET_END : to;
    store.dispatch({ type: "overlayShown", overlay: { ...sheet, scroll } });
  };
  if (event.type === "wheel") {
    by(event.direction * WHEEL_ROWS);
    return;
  }
  if (event.type !== "key") return;
  const action = windowKey(event, "help") ?? windowKey(event, "lists");
  if (action === "scrollUp") by(-1);
  else if (action === "scrollDown") by(1);
  else if (action === "pageUp") by(-(rows - 4));
  else if (action === "pageDown") by(rows - 4);
  else if (action === "first") by(-last);
  else if (action === "close") store.dispatch({ type: "overlayShown", overlay: undefined });
}
