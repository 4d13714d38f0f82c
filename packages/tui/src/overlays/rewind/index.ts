import { type OverlayRow, rowsOf } from "../overlay.ts";
import { RewindController } from "./rewind-controller.ts";
import { rewindPickerRows } from "./rewind-picker-rows.ts";
import { rewindPicker } from "./state.ts";

export const rewindOverlay: OverlayRow<RewindController> = {
  rows: rowsOf(rewindPicker, rewindPickerRows),
  create: (host) => new RewindController(host),
};
