import { useMemo } from "react";
import { screenRow } from "../screens/index.ts";
import { ActiveScope } from "../widgets/active-scope.tsx";
import { oncePerMoment } from "../widgets/frame-content.ts";
import { PaintedRows, Rows } from "../widgets/rows.tsx";
import { useMounted, useView, useWindow } from "../widgets/use-window.ts";
import { footerOf, statusRows } from "./footer.ts";

const footerAt = oncePerMoment(({ state }) => footerOf(state));

/** The typed text, or the query of a search. Keys change its rows, and rarely its height. */
export function Composer() {
  const height = useWindow((moment) => footerAt(moment).input.length);
  const hasKeys = useMounted(
    ({ trust, overlay, screen }) => (trust || !overlay) && screenRow(screen).hasInput === true,
  );
  return (
    <>
      {hasKeys ? <ActiveScope name="input" /> : null}
      <PaintedRows
        name="input"
        height={height}
        paint={(moment) => {
          const { input, cursor } = footerAt(moment);
          return { rows: input, cursor };
        }}
      />
    </>
  );
}

/** The last row: model, context, branch and modes. */
export function StatusRow() {
  const isThere = useWindow((moment) => footerAt(moment).hasHud);
  return isThere ? <Hud /> : null;
}

function Hud() {
  const view = useView();
  const rows = useMemo(() => statusRows(view), [view]);
  return <Rows rows={rows} />;
}
