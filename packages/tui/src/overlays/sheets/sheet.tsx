import type { ChromeView } from "../../state/chrome-view.ts";
import type { SheetOverlay } from "../../state/overlay.ts";
import { OverlayBody, OverlayFrame } from "../../widgets/overlay-frame.tsx";
import { RowList } from "../../widgets/themed.tsx";
import { sheetRows } from "./sheet-rows.ts";

/** Rows over the whole screen that are read, scrolled and closed. */
export function Sheet({ view, sheet }: { readonly view: ChromeView; readonly sheet: SheetOverlay }) {
  const { rows } = view.size;
  const all = sheetRows(sheet, view);
  const height = rows - 2;
  const from = Math.min(sheet.scroll, Math.max(0, all.length - height));
  const below = all.length - from - height;
  const close = sheet.kind === "doctor" && sheet.running ? "Esc stops it" : "Esc back";
  return (
    <OverlayFrame view={view} keys={`↑↓ PgUp PgDn scroll · ${close}${below > 0 ? ` · ${below} more below` : ""}`}>
      <OverlayBody>
        <RowList rows={all.slice(from, from + height)} />
      </OverlayBody>
    </OverlayFrame>
  );
}
