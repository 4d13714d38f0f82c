import { Box } from "ink";
import { memo } from "react";
import type { ChromeView } from "../state/chrome-view.ts";
import { prefixRows, type Row, sanitise, span, style, wrapSpans } from "../text/index.ts";
import type { Role } from "../theme.ts";
import { RowList } from "./themed.tsx";

const roles: Record<"info" | "warning" | "error", Role> = { info: "info", warning: "warning", error: "error" };

/** Messages of the window: the state of the server, and notes. */
export const Notes = memo(function Notes({ link, notes, size }: Pick<ChromeView, "link" | "notes" | "size">) {
  const noted = notes.flatMap(({ severity, text }) => noteRows(text, roles[severity], size.columns - 2));
  const isDown = link.text !== undefined && link.status !== "ready";
  const server = isDown
    ? noteRows(link.text ?? "", link.status === "failed" ? "error" : "warning", size.columns - 2)
    : [];
  return (
    <Box flexDirection="column" paddingX={1}>
      <RowList rows={[...server, ...noted]} />
    </Box>
  );
});

function noteRows(text: string, role: Role, width: number): Row[] {
  const look = style({ fg: role });
  const lines = sanitise(text).replaceAll("\t", "    ").split("\n");
  return lines.flatMap((line) => {
    // Further rows of a list item are indented more than the item.
    const indent = line.length - line.trimStart().length;
    const further = span(indent === 0 ? "" : " ".repeat(indent + 2));
    const rows = wrapSpans([span(line, look)], Math.max(1, width - further.text.length));
    return prefixRows(rows, [], [further]);
  });
}
