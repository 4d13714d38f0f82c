import { sheetRow } from "../sheets/sheet.ts";
import { contextRows } from "./context-rows.ts";
import { contextSheet } from "./state.ts";

export const contextOverlay = sheetRow({
  own: contextSheet,
  rows: (sheet, { size }) => contextRows(sheet, size.columns - 2),
});
