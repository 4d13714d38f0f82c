import { hereFacts } from "@harness/client/actions";
import type { ChromeView } from "../../state/chrome-view.ts";
import type { HelpTables } from "../../state/overlay.ts";
import { padRow, prefixRows, type Row, row, sanitiseLine, span, style, wrapSpans } from "../../text/index.ts";

const ACCENT = style({ fg: "accent" });
const MUTED = style({ fg: "muted" });
const HEADING = style({ bold: true });
const MAX_NAME_COLUMNS = 34;
const HERE_COLUMNS = 17;

/** A name and its purpose side by side, both wrapped in their columns. */
function entry(columns: number, name: string, text: string, detail = ""): Row[] {
  const nameColumns = Math.min(MAX_NAME_COLUMNS, Math.floor(columns / 2));
  const names = wrapSpans([span(name, ACCENT)], nameColumns - 3);
  const spans = [span(text), ...(detail === "" ? [] : [span(`  ${detail}`, MUTED)])];
  const texts = wrapSpans(spans, Math.max(1, columns - nameColumns));
  return Array.from({ length: Math.max(names.length, texts.length) }, (_, at) => {
    const left = row(span("  "), ...(names[at]?.spans ?? []));
    return row(...padRow(left, nameColumns).spans, ...(texts[at]?.spans ?? []));
  });
}

type HelpView = Pick<ChromeView, "hud" | "permissionMode" | "agentMode" | "size">;

function currentRows(view: HelpView, columns: number): Row[] {
  const facts = hereFacts({ ...view, modeHint: "Shift+Tab changes it." });
  if (facts.length === 0) return [];
  return [
    row(span("Here", HEADING)),
    ...facts.flatMap(([name, text]) => {
      const lead = padRow(row(span(`  ${name}`, ACCENT)), HERE_COLUMNS).spans;
      const rows = wrapSpans([span(sanitiseLine(text))], Math.max(10, columns - HERE_COLUMNS));
      return prefixRows(rows, lead, [span(" ".repeat(HERE_COLUMNS))]);
    }),
    row(span(" ")),
  ];
}

/** The current state, then commands, screens and keys. */
export function helpRows({ commands, screens, keys }: HelpTables, view: HelpView): Row[] {
  const columns = view.size.columns - 2;
  const rows = (...columnsOfRow: [string, string, string?]): Row[] => entry(columns, ...columnsOfRow);
  return [
    ...currentRows(view, columns),
    row(span("Commands", HEADING)),
    ...commands.flatMap(([usage = "", description = ""]) => rows(sanitiseLine(usage), sanitiseLine(description))),
    row(span(" ")),
    row(span("Screens", HEADING)),
    ...screens.flatMap(([title = "", key = "", purpose = ""]) => rows(`${title} (${key})`, purpose)),
    row(span(" ")),
    row(span("Keys", HEADING)),
    ...keys.flatMap(([names = "", where = "", what = ""]) => rows(names, what, where)),
  ];
}
