import { type OverlayRow, rowsOf } from "../overlay.ts";
import { ProcessController } from "./process-controller.ts";
import { processListRows } from "./process-list-rows.ts";
import { processList } from "./state.ts";

export const processesOverlay: OverlayRow<ProcessController> = {
  rows: rowsOf(processList, processListRows),
  create: (host) => new ProcessController(host),
};
