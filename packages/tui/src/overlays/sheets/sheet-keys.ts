import type { InputEvent } from "../../input/index.ts";
import { sheetKeys } from "../../keymap/overlay-keys.ts";
import type { Scope } from "../../keymap/scope.ts";
import { listKeys } from "../../keymap/shared-keys.ts";
import { SHEET_END, type SheetOverlay } from "../../state/overlay.ts";
import type { Store } from "../../state/store.ts";
import { isSheet, sheetRows, sheetView } from "./sheet-rows.ts";

const WHEEL_ROWS = 3;

/** Help and other sheets: they are scrolled and closed. */
export function sheetScope(store: Store): Scope {
  return (event) => {
    const { overlay } = store.get();
    if (!overlay || !isSheet(overlay)) return false;
    takeSheetKey(store, overlay, event);
    return true;
  };
}

function takeSheetKey(store: Store, sheet: SheetOverlay, event: InputEvent): void {
  const state = store.get();
  const { rows } = state.size;
  const last = Math.max(0, sheetRows(sheet, sheetView(state)).length - (rows - 2));
  const by = (count: number): void => {
    const to = Math.max(0, Math.min(last, Math.min(last, sheet.scroll) + count));
    // A sheet that still grows is followed once its end is in view.
    const scroll = to === last && sheet.kind === "doctor" ? SHEET_END : to;
    store.set({ overlay: { ...sheet, scroll } });
  };
  if (event.type === "wheel") {
    by(event.direction * WHEEL_ROWS);
    return;
  }
  if (event.type !== "key") return;
  const action = sheetKeys.idOf(event) ?? listKeys.idOf(event);
  if (action === "scrollUp") by(-1);
  else if (action === "scrollDown") by(1);
  else if (action === "pageUp") by(-(rows - 4));
  else if (action === "pageDown") by(rows - 4);
  else if (action === "first") by(-last);
  else if (action === "close") store.set({ overlay: undefined });
}
