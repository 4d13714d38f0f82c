import { useMemo } from "react";
import { ActiveScope } from "../widgets/active-scope.tsx";
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
export function OverlayPanel({ kind, components }: OverlayProps) {
  const Component = components.get(kind);
  const rows = overlayRow(kind)?.rows;
  return (
    <>
      <ActiveScope key={kind} name={kind} />
      {Component ? <Component /> : rows ? <OfRows rowsOf={rows} /> : null}
    </>
  );
}

function OfRows({ rowsOf }: { readonly rowsOf: OverlayRows }) {
  const view = useView();
  const rows = useMemo(() => rowsOf(view), [rowsOf, view]);
  return <Rows rows={rows} />;
}
