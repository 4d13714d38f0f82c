import type { ChromeView } from "../state/chrome-view.ts";
import type { Overlay } from "../state/overlay.ts";
import { ModelPicker } from "./models/model-picker.tsx";
import { RewindPicker } from "./rewind/rewind-picker.tsx";
import { Sheet } from "./sheets/sheet.tsx";

/** What covers the screen. */
export function OverlayView({ view, overlay }: { readonly view: ChromeView; readonly overlay: Overlay }) {
  if (overlay.kind === "models") return <ModelPicker view={view} picker={overlay} />;
  if (overlay.kind === "rewind") return <RewindPicker view={view} picker={overlay} />;
  return <Sheet view={view} sheet={overlay} />;
}
