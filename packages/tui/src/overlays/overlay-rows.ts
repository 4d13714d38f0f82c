import type { ChromeView } from "../state/chrome-view.ts";
import type { Overlay } from "../state/overlay.ts";
import type { Row } from "../text/index.ts";
import { agentTreeRows } from "./agents/agent-tree-rows.ts";
import { processListRows } from "./processes/process-list-rows.ts";
import { rewindPickerRows } from "./rewind/rewind-picker-rows.ts";
import { sheetScreen } from "./sheets/sheet-rows.ts";

/** Overlays in which no line is typed. */
export type OverlayWithRows = Exclude<Overlay, { kind: "models" | "keys" }>;

/** What covers the screen. */
export function overlayRows(overlay: OverlayWithRows, view: ChromeView): Row[] {
  if (overlay.kind === "rewind") return rewindPickerRows(overlay, view);
  if (overlay.kind === "processes") return processListRows(overlay, view);
  if (overlay.kind === "agents") return agentTreeRows(overlay, view);
  return sheetScreen(overlay, view);
}
