import { Box } from "ink";
import type { ReactNode } from "react";
import { keysRow } from "./overlay-frame.ts";
import { Rows } from "./rows.tsx";
import { useView } from "./use-window.ts";

/** An overlay made of components: its content above a last row about its keys. */
export function OverlayPage({ keys, children }: { readonly keys: string; readonly children: ReactNode }) {
  const view = useView();
  return (
    <>
      <Box flexDirection="column" flexGrow={1} flexBasis={0} paddingX={1} overflow="hidden">
        {children}
      </Box>
      <Rows rows={[keysRow(keys, view)]} />
    </>
  );
}
