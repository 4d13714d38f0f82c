import type { AppState } from "../state/app-state.ts";
import { type Dialog, endOf } from "../state/dialogs.ts";
import { dialogPlaceIn } from "./dialog-place.ts";
import { permissionLayout } from "./permission/permission-layout.ts";
import { reviewLayout } from "./review/review-rows.ts";

/** The end that is in view; undefined: there is more below, or nothing has to be read to its end. */
export function endInView(dialog: Dialog, state: AppState): string | undefined {
  if (dialog.kind === "question") return undefined;
  const layout = dialog.permission.review ? reviewLayout : permissionLayout;
  return layout(dialog, dialogPlaceIn(state)).hidden === 0 ? endOf(dialog) : undefined;
}
