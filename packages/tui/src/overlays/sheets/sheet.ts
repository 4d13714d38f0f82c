import type { InputEvent } from "../../input/index.ts";
import { hints } from "../../keymap/key-labels.ts";
import { sheetKeys } from "../../keymap/overlay-keys.ts";
import type { KeyScope } from "../../keymap/scope.ts";
import { listKeys } from "../../keymap/shared-keys.ts";
import type { AppState, Overlay } from "../../state/app-state.ts";
import type { ChromeView } from "../../state/chrome-view.ts";
import type { OverlayState } from "../../state/overlay-state.ts";
import { modesInForce } from "../../state/selectors.ts";
import type { Store } from "../../state/store.ts";
import { SHEET_END } from "../../state/text-sheet.ts";
import type { Row } from "../../text/index.ts";
import { inset } from "../../widgets/boxes.ts";
import { overlayFrame } from "../../widgets/overlay-frame.ts";
import { type OverlayRow, type OverlayRows, rowsOf } from "../overlay.ts";

type SheetView = Pick<ChromeView, "size" | "hud" | "permissionMode" | "agentMode" | "keymap">;

/** `scroll`: the first row in view; a value past the end shows the last screenful. */
export type SheetOverlay = Overlay & { readonly scroll: number };

/** Full-screen rows that are read, scrolled and closed. */
export type Sheet<S extends SheetOverlay> = {
  readonly own: OverlayState<S>;
  /** All rows; only those that fit are shown. */
  readonly rows: (sheet: S, view: SheetView) => Row[];
  /** It is still growing, and is followed once its end is in view. */
  readonly grows?: boolean;
  /** An additional action when it closes. */
  readonly closing?: (sheet: S) => string | undefined;
};

const WHEEL_ROWS = 3;

/** A sheet's entry in the table of overlays. */
export function sheetRow<S extends SheetOverlay>(sheet: Sheet<S>): OverlayRow {
  return { rows: sheetRows(sheet), create: ({ store }) => ({ take: sheetScope(store, sheet) }) };
}

export function sheetRows<S extends SheetOverlay>(sheet: Sheet<S>): OverlayRows {
  return rowsOf(sheet.own, (overlay, view) => sheetScreen(sheet, overlay, view));
}

/** The keys that scroll a sheet and close it. */
export function sheetScope<S extends SheetOverlay>(store: Store, sheet: Sheet<S>): KeyScope {
  return (event) => {
    const overlay = sheet.own.of(store.get());
    if (overlay) takeSheetKey(store, sheet, overlay, event);
    return overlay !== undefined;
  };
}

function takeSheetKey<S extends SheetOverlay>(store: Store, sheet: Sheet<S>, overlay: S, event: InputEvent): void {
  const state = store.get();
  const { rows } = state.size;
  const last = Math.max(0, sheet.rows(overlay, sheetView(state)).length - (rows - 2));
  const by = (count: number): void => {
    const to = Math.max(0, Math.min(last, Math.min(last, overlay.scroll) + count));
    store.set({ overlay: { ...overlay, scroll: to === last && sheet.grows ? SHEET_END : to } });
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

function sheetView(state: AppState): SheetView {
  const { permissionMode, mode: agentMode } = modesInForce(state);
  return { size: state.size, hud: state.hud, keymap: state.keymap, permissionMode, agentMode };
}

function sheetScreen<S extends SheetOverlay>(sheet: Sheet<S>, overlay: S, view: ChromeView): Row[] {
  const height = view.size.rows - 2;
  const all = sheet.rows(overlay, view);
  const from = Math.min(overlay.scroll, Math.max(0, all.length - height));
  const below = all.length - from - height;
  const { keys } = view;
  const scroll = keys.hint(["help.scrollUp", "help.scrollDown", "lists.pageUp", "lists.pageDown"], "scroll");
  const close = keys.hint("lists.close", sheet.closing?.(overlay) ?? "back");
  const rest = below > 0 ? `${below} more below` : "";
  return overlayFrame(inset(all.slice(from, from + height), view.size.columns), hints(scroll, close, rest), view);
}
