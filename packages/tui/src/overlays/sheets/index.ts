import { textSheet } from "../../state/text-sheet.ts";
import type { OverlayRow } from "../overlay.ts";
import { DoctorController, doctorPage } from "./doctor-controller.ts";
import { helpRows } from "./help-rows.ts";
import { sheetRow, sheetRows } from "./sheet.ts";
import { helpSheet, usageSheet } from "./state.ts";
import { textSheetRows } from "./text-sheet-rows.ts";
import { usageRows } from "./usage-rows.ts";

export const helpOverlay = sheetRow({ own: helpSheet, rows: ({ tables }, view) => helpRows(tables, view) });

export const usageOverlay = sheetRow({
  own: usageSheet,
  rows: (sheet, { size, hud }) => usageRows(sheet, { columns: size.columns - 2, hud }),
});

export const textOverlay = sheetRow({
  own: textSheet,
  rows: (sheet, { size }) => textSheetRows(sheet, size.columns - 2),
});

export const doctorOverlay: OverlayRow<DoctorController> = {
  rows: sheetRows(doctorPage),
  create: (host) => new DoctorController(host),
};
