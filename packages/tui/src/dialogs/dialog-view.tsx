import { Box } from "ink";
import type { Row } from "../text/index.ts";
import { ActiveScope } from "../widgets/active-scope.tsx";
import { LineField } from "../widgets/line-field.tsx";
import { PaintedRows, Rows } from "../widgets/rows.tsx";
import { useWindow } from "../widgets/use-window.ts";
import type { FramedRows } from "./framed-rows.ts";

/** An edge of the frame, and a blank. */
const EDGE_CELLS = 2;

/** The dialog in view, if there is one; an answer that comes too early is taken in any case. */
export function DialogPanel({ framed: { rows, field } }: { readonly framed: FramedRows }) {
  const columns = useWindow(({ state }) => state.size.columns);
  const ownRow = field && rows[field.at];
  return (
    <>
      <ActiveScope name="dialog" />
      <Rows name="dialog" rows={rows.slice(0, field?.at)} />
      {field && ownRow ? (
        <>
          <Box height={1} flexShrink={0}>
            <Edge spans={ownRow.spans.slice(0, EDGE_CELLS)} />
            <Box width={columns - 2 * EDGE_CELLS}>
              <LineField label={field.label} text={field.text} />
            </Box>
            <Edge spans={ownRow.spans.slice(-EDGE_CELLS)} />
          </Box>
          <Rows rows={rows.slice(field.at + 1)} />
        </>
      ) : null}
    </>
  );
}

function Edge(row: Row) {
  return <PaintedRows height={1} width={EDGE_CELLS} paint={() => ({ rows: [row] })} />;
}
