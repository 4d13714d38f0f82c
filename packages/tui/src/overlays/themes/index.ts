import { type OverlayRow, rowsOf } from "../overlay.ts";
import { themePicker } from "./state.ts";
import { ThemeController } from "./theme-controller.ts";
import { themePickerRows } from "./theme-picker-rows.ts";

export const themesOverlay: OverlayRow<ThemeController> = {
  rows: rowsOf(themePicker, themePickerRows),
  create: (host) => new ThemeController(host),
};
