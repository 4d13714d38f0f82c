import { Box } from "ink";
import type { ChromeView } from "../state/chrome-view.ts";
import { helpRows } from "./help-rows.ts";
import { LeaveHint } from "./leave-hint.tsx";
import { RowList, Themed } from "./themed.tsx";

export function Help({ view, scroll }: { readonly view: ChromeView; readonly scroll: number }) {
  const { rows, columns } = view.size;
  const all = helpRows(view);
  const height = rows - 2;
  const from = Math.min(scroll, Math.max(0, all.length - height));
  const below = all.length - from - height;
  return (
    <Box flexDirection="column" height={rows} width={columns}>
      <Box flexDirection="column" flexGrow={1} paddingX={1} overflow="hidden">
        <RowList rows={all.slice(from, from + height)} />
      </Box>
      {view.leaveArmed ? (
        <LeaveHint />
      ) : (
        <Themed tone="muted">{` ↑↓ PgUp PgDn scroll · Esc back${below > 0 ? ` · ${below} more below` : ""}`}</Themed>
      )}
    </Box>
  );
}
