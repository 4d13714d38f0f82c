import { Box, Text } from "ink";
import type { Row } from "../text/index.ts";

/** Rows that Ink leaves free and the presenter paints: what changes with each key or frame costs no layout. */
export type HoleId = "status" | "composer";

/** Colours that nobody would choose; they name the hole and never reach the screen. */
const marks: Record<HoleId, `#${string}`> = { status: "#010204", composer: "#010205" };

export function Hole({ id, height }: { readonly id: HoleId; readonly height: number }) {
  return (
    <Box height={height} flexShrink={0}>
      <Text color={marks[id]}>▪</Text>
    </Box>
  );
}

/** Where a hole begins in what Ink drew; undefined when it is not there. */
export function findHole(rows: readonly Row[], id: HoleId): number | undefined {
  const at = rows.findLastIndex(({ spans }) => spans[0]?.style.fg === marks[id]);
  return at < 0 ? undefined : at;
}
