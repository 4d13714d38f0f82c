import { Box } from "ink";
import type { ReactNode } from "react";
import type { ChromeView } from "../state/chrome-view.ts";
import { LEAVE_TEXT } from "./hud-row.ts";
import { Themed } from "./themed.tsx";

type Props = {
  readonly view: Pick<ChromeView, "size" | "leaveArmed">;
  /** The hint about the keys, in the last row. */
  readonly keys: string;
  readonly children: ReactNode;
};

/** The frame of an overlay: the whole screen with a last row about its keys. */
export function OverlayFrame({ view: { size, leaveArmed }, keys, children }: Props) {
  return (
    <Box flexDirection="column" height={size.rows} width={size.columns}>
      {children}
      <Themed tone={leaveArmed ? "warning" : "muted"}>{` ${leaveArmed ? LEAVE_TEXT : keys}`}</Themed>
    </Box>
  );
}

/** The part of an overlay above its last row; overflow is cut. */
export function OverlayBody({ children }: { readonly children: ReactNode }) {
  return (
    <Box flexDirection="column" flexGrow={1} paddingX={1} overflow="hidden">
      {children}
    </Box>
  );
}
