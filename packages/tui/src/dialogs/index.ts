import type { AppState } from "../state/app-state.ts";
import type { Dialog } from "../state/dialogs.ts";
import type { DialogRow } from "./dialog.ts";
import { type DialogLayoutInput, dialogPlaceIn, isLowScreen } from "./dialog-layout-input.ts";
import { permission } from "./permission/index.ts";
import { question } from "./question/index.ts";
import { review } from "./review/index.ts";

/** Every kind of dialog in Chat; the trust dialog is over everything. */
const dialogs = { permission, question, review };

/** The row of a dialog. A review is a permission that asks about each change. */
export function dialogRow(dialog: Dialog): DialogRow<Dialog> {
  const isReview = dialog.kind === "permission" && dialog.permission.review !== undefined;
  // A row only ever gets dialogs of its own kind.
  return dialogs[isReview ? "review" : dialog.kind] as DialogRow<Dialog>;
}

/** True if composer and HUD are not drawn while it is open. */
export function hasAllRows(dialog: Dialog, place: DialogLayoutInput): boolean {
  return isLowScreen(place) || dialogRow(dialog).takesAllRows?.(dialog, place) === true;
}

/** The key of the visible end; undefined: there is more below, or nothing must be read to its end. */
export function endInView(dialog: Dialog, state: AppState): string | undefined {
  return dialogRow(dialog).endInView?.(dialog, dialogPlaceIn(state));
}
