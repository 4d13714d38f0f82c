import { Box } from "ink";
import { memo } from "react";
import type { ChromeView } from "../state/chrome-view.ts";
import { hudRow } from "./hud-row.ts";
import { RowText } from "./themed.tsx";

type Props = {
  readonly view: Pick<
    ChromeView,
    "hud" | "permissionMode" | "agentMode" | "agents" | "leaveArmed" | "size" | "dialogs" | "screen"
  >;
};

/** The last row of the screen. */
export const HudLine = memo(function HudLine({ view }: Props) {
  const { hud, permissionMode, agentMode: mode, agents, leaveArmed, size, dialogs, screen } = view;
  // In Chat the question itself is in view.
  const questions = screen === "chat" ? 0 : dialogs.length;
  return (
    <Box flexShrink={0}>
      <RowText
        row={hudRow(hud && { ...hud, permissionMode, mode }, size.columns, { agents, questions, leaving: leaveArmed })}
      />
    </Box>
  );
});
