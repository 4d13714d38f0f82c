import { hints } from "../../keymap/key-names.ts";
import type { AppState } from "../../state/app-state.ts";
import type { ChromeView } from "../../state/chrome-view.ts";
import type { Overlay, SheetOverlay } from "../../state/overlay.ts";
import { modesInForce } from "../../state/selectors.ts";
import type { Row } from "../../text/index.ts";
import { inset } from "../../widgets/boxes.ts";
import { overlayFrame } from "../../widgets/overlay-frame.ts";
import { contextRows } from "../context/context-rows.ts";
import { doctorRows } from "./doctor-rows.ts";
import { helpRows } from "./help-rows.ts";
import { textSheetRows } from "./text-sheet-rows.ts";
import { usageRows } from "./usage-rows.ts";

export type SheetView = Pick<ChromeView, "size" | "hud" | "permissionMode" | "agentMode" | "keymap">;

export function sheetView(state: AppState): SheetView {
  const { permissionMode, mode: agentMode } = modesInForce(state);
  return { size: state.size, hud: state.hud, keymap: state.keymap, permissionMode, agentMode };
}

type Drawers = { [K in SheetOverlay["kind"]]: (sheet: Extract<Overlay, { kind: K }>, view: SheetView) => Row[] };

/** One drawer for each kind of sheet; the compiler asks for a missing one. */
const drawers: Drawers = {
  help: ({ tables }, view) => helpRows(tables, view),
  usage: (sheet, { size }) => usageRows(sheet, size.columns - 2),
  context: (sheet, { size }) => contextRows(sheet, size.columns - 2),
  doctor: (sheet, { size }) => doctorRows(sheet, size.columns - 2),
  text: (sheet, { size }) => textSheetRows(sheet, size.columns - 2),
};

export function isSheet(overlay: Overlay): overlay is SheetOverlay {
  return Object.hasOwn(drawers, overlay.kind);
}

/** All rows of a sheet; it shows as many as there is room for. */
export function sheetRows(sheet: SheetOverlay, view: SheetView): Row[] {
  const draw = drawers[sheet.kind] as (sheet: SheetOverlay, view: SheetView) => Row[];
  return draw(sheet, view);
}

/** Rows over the whole screen that are read, scrolled and closed. */
export function sheetScreen(sheet: SheetOverlay, view: ChromeView): Row[] {
  const height = view.size.rows - 2;
  const all = sheetRows(sheet, view);
  const from = Math.min(sheet.scroll, Math.max(0, all.length - height));
  const below = all.length - from - height;
  const { keys } = view;
  const scroll = keys.hint(["help.scrollUp", "help.scrollDown", "lists.pageUp", "lists.pageDown"], "scroll");
  const close = keys.hint("lists.close", sheet.kind === "doctor" && sheet.running ? "stops it" : "back");
  const rest = below > 0 ? `${below} more below` : "";
  return overlayFrame(inset(all.slice(from, from + height), view.size.columns), hints(scroll, close, rest), view);
}
