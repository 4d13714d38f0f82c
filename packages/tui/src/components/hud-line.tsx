import { Box } from "ink";
import { memo } from "react";
import type { ChromeView } from "../state/chrome-view.ts";
import { hudRow } from "./hud-row.ts";
import { LeaveHint } from "./leave-hint.tsx";
import { RowText } from "./themed.tsx";

type Props = Pick<ChromeView, "hud" | "agents" | "leaveArmed"> & { readonly columns: number };

/** The last row of the screen. */
export const HudLine = memo(function HudLine({ hud, agents, leaveArmed, columns }: Props) {
  if (leaveArmed) return <LeaveHint />;
  return (
    <Box flexShrink={0}>
      <RowText row={hudRow(hud, columns, agents)} />
    </Box>
  );
});
