import type { ChromeView } from "../state/chrome-view.ts";
import { prefixRows, type Row, span, style, textLines, wrapSpans } from "../text/index.ts";
import type { Role } from "../theme/theme.ts";
import { inset } from "./boxes.ts";

type Notes = Pick<ChromeView, "link" | "notes" | "size">;

/** Messages of the window: the state of the server, and notes. */
export function noteRows({ link, notes, size }: Notes): Row[] {
  const isDown = link.text !== undefined && link.status !== "ready";
  const server = isDown
    ? [{ severity: link.status === "failed" ? "error" : "warning", text: link.text ?? "" } as const]
    : [];
  const rows = [...server, ...notes].flatMap(({ severity, text }) => rowsOf(text, severity, size.columns - 2));
  return inset(rows, size.columns);
}

function rowsOf(text: string, role: Role, width: number): Row[] {
  const look = style({ fg: role });
  return textLines(text).flatMap((line) => {
    // Further rows of a list item are indented more than the item.
    const indent = line.length - line.trimStart().length;
    const further = span(indent === 0 ? "" : " ".repeat(indent + 2));
    const rows = wrapSpans([span(line, look)], Math.max(1, width - further.text.length));
    return prefixRows(rows, [], [further]);
  });
}
