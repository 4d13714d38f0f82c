import { useMemo } from "react";
import { Rows } from "../widgets/rows.tsx";
import { useView } from "../widgets/use-window.ts";
import { overlayRow } from "./index.ts";
import type { OverlayComponent, OverlayRows } from "./overlay.ts";

type OverlayProps = {
  readonly kind: string;
  /** Of the overlays that have one. */
  readonly components: ReadonlyMap<string, OverlayComponent>;
};

/** Covers the screen until it is closed. */
export function Overlay({ kind, components }: OverlayProps) {
  const Component = components.get(kind);
  const rows = overlayRow(kind)?.rows;
  if (Component) return <Component />;
  return rows ? <OfRows rowsOf={rows} /> : null;
}

function OfRows({ rowsOf }: { readonly rowsOf: OverlayRows }) {
  const view = useView();
  const rows = useMemo(() => rowsOf(view), [rowsOf, view]);
  return <Rows rows={rows} />;
}
