import { useMemo } from "react";
import type { Overlay as OverlayState } from "../state/overlay.ts";
import { Rows } from "../widgets/rows.tsx";
import { useView } from "../widgets/use-window.ts";
import { overlayRows } from "./overlay-rows.ts";

/** What covers the screen until it is closed. */
export function Overlay({ overlay }: { readonly overlay: OverlayState }) {
  const view = useView();
  const rows = useMemo(() => overlayRows(overlay, view), [overlay, view]);
  return <Rows rows={rows} />;
}
