import { Box } from "ink";
import { RowList } from "../../widgets/themed.tsx";
import type { ScreenProps } from "../screen.ts";
import { homeRows } from "./home-rows.ts";

/** The first screen. */
export function Home({ view, height, nowMs }: ScreenProps) {
  return (
    <Box flexDirection="column" height={height} width={view.size.columns} overflow="hidden">
      <RowList rows={homeRows(view, { height, nowMs })} />
    </Box>
  );
}
