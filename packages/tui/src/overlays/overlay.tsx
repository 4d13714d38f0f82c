import { useMemo } from "react";
import type { Overlay as OverlayState } from "../state/overlay.ts";
import { Rows } from "../widgets/rows.tsx";
import { useView } from "../widgets/use-window.ts";
import { Keys } from "./keys/view.tsx";
import { Models } from "./models/view.tsx";
import { type OverlayWithRows, overlayRows } from "./overlay-rows.ts";

/** What covers the screen until it is closed. */
export function Overlay({ overlay }: { readonly overlay: OverlayState }) {
  if (overlay.kind === "models") return <Models overlay={overlay} />;
  if (overlay.kind === "keys") return <Keys overlay={overlay} />;
  return <OverlayOfRows overlay={overlay} />;
}

function OverlayOfRows({ overlay }: { readonly overlay: OverlayWithRows }) {
  const view = useView();
  const rows = useMemo(() => overlayRows(overlay, view), [overlay, view]);
  return <Rows rows={rows} />;
}
