import type { ChromeView } from "../state/chrome-view.ts";
import type { Overlay } from "../state/overlay.ts";
import type { Row } from "../text/index.ts";
import { agentTreeRows } from "./agents/agent-tree-rows.ts";
import { keyListRows } from "./keys/key-list-rows.ts";
import { modelPickerRows } from "./models/model-picker-rows.ts";
import { processListRows } from "./processes/process-list-rows.ts";
import { rewindPickerRows } from "./rewind/rewind-picker-rows.ts";
import { sheetScreen } from "./sheets/sheet-rows.ts";

/** What covers the screen. */
export function overlayRows(overlay: Overlay, view: ChromeView): Row[] {
  if (overlay.kind === "models") return modelPickerRows(overlay, view);
  if (overlay.kind === "rewind") return rewindPickerRows(overlay, view);
  if (overlay.kind === "processes") return processListRows(overlay, view);
  if (overlay.kind === "keys") return keyListRows(overlay, view);
  if (overlay.kind === "agents") return agentTreeRows(overlay, view);
  return sheetScreen(overlay, view);
}
