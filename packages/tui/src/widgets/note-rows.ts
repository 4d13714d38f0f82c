import type { KeyLabels } from "../keymap/key-labels.ts";
import type { Note } from "../state/app-state.ts";
import type { ChromeView } from "../state/chrome-view.ts";
import { prefixRows, type Row, span, style, textLines, wrapSpans } from "../text/index.ts";
import type { Role } from "../theme/theme.ts";
import { inset } from "./boxes.ts";

type Notes = Pick<ChromeView, "link" | "notes" | "size" | "keys">;

/** Messages of the window: the state of the server, and notes. */
export function noteRows({ link, notes, size, keys }: Notes): Row[] {
  const rows = [...linkNotes(link, keys), ...notes].flatMap(({ severity, text }) =>
    rowsOf(text, severity, size.columns - 2),
  );
  return inset(rows, size.columns);
}

function linkNotes({ status, text }: ChromeView["link"], keys: KeyLabels): Pick<Note, "severity" | "text">[] {
  if (text === undefined || status === "ready") return [];
  if (status === "connecting") return [{ severity: "warning", text }];
  const again = keys.say("anywhere.redraw", (key) => `Press ${key} to try again.`, "Restart harness to try again.");
  return [{ severity: "error", text: `${text} ${again}` }];
}

function rowsOf(text: string, role: Role, width: number): Row[] {
  const look = style({ fg: role });
  return textLines(text).flatMap((line) => {
    // Wrapped rows of a list item are indented more than the item.
    const indent = line.length - line.trimStart().length;
    const further = span(indent === 0 ? "" : " ".repeat(indent + 2));
    const rows = wrapSpans([span(line, look)], Math.max(1, width - further.text.length));
    return prefixRows(rows, [], [further]);
  });
}
