import { hereFacts } from "@harness/client/actions";
import { keyLabel } from "../../keymap/key-name.ts";
import type { ChromeView } from "../../state/chrome-view.ts";
import { padRow, prefixRows, type Row, row, sanitiseLine, span, style, wrapSpans } from "../../text/index.ts";
import type { HelpTables } from "./state.ts";

const ACCENT = style({ fg: "accent" });
const MUTED = style({ fg: "muted" });
const HEADING = style({ bold: true });
const MAX_NAME_COLUMNS = 34;
const HERE_COLUMNS = 17;
const BRACKETS = /\[[^\]]*\]/g;
/** A space at which no row breaks. */
const NO_BREAK = "\u00a0";

/** A name wrapped to this width; text in brackets is not broken if it fits a row. */
function nameRows(name: string, width: number): Row[] {
  const held = name.replace(BRACKETS, (part) => (part.length <= width ? part.replaceAll(" ", NO_BREAK) : part));
  const rows = wrapSpans([span(held, ACCENT)], width);
  return rows.map(({ spans }) => row(...spans.map((each) => span(each.text.replaceAll(NO_BREAK, " "), each.style))));
}

/**
 * A name and its purpose side by side, each wrapped in its column; a name with longer brackets goes above its purpose.
 */
function entry(columns: number, name: string, text: string, detail = ""): Row[] {
  const nameColumns = Math.min(MAX_NAME_COLUMNS, Math.floor(columns / 2));
  const longest = Math.max(0, ...(name.match(BRACKETS) ?? []).map((part) => part.length));
  const isAbove = longest > nameColumns - 3 && longest <= columns - 2;
  const names = nameRows(name, isAbove ? columns - 2 : nameColumns - 3).map(({ spans }) => row(span("  "), ...spans));
  const spans = [span(text), ...(detail === "" ? [] : [span(`  ${detail}`, MUTED)])];
  const texts = wrapSpans(spans, Math.max(1, columns - nameColumns));
  const beside = isAbove ? [] : names;
  const both = Array.from({ length: Math.max(beside.length, texts.length) }, (_, at) =>
    row(...padRow(beside[at] ?? row(), nameColumns).spans, ...(texts[at]?.spans ?? [])),
  );
  return isAbove ? [...names, ...both] : both;
}

type HelpView = Pick<ChromeView, "hud" | "permissionMode" | "agentMode" | "size" | "keymap">;

function currentRows(view: HelpView, columns: number): Row[] {
  const modeHint = view.keymap.names.hint("chat.permissionMode", "changes it.");
  const facts = hereFacts({ ...view, modeHint });
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
export function helpRows({ commands, screens }: HelpTables, view: HelpView): Row[] {
  const columns = view.size.columns - 2;
  const rows = (...columnsOfRow: [string, string, string?]): Row[] => entry(columns, ...columnsOfRow);
  return [
    ...currentRows(view, columns),
    row(span("Commands", HEADING)),
    ...commands.flatMap(([usage = "", description = ""]) => rows(sanitiseLine(usage), sanitiseLine(description))),
    row(span(" ")),
    row(span("Screens", HEADING)),
    ...screens.flatMap(({ title, openedBy, purpose }) => {
      const key = view.keymap.names.of(openedBy);
      return rows(key === undefined ? title : `${title} (${key})`, purpose);
    }),
    row(span(" ")),
    row(span("Keys", HEADING)),
    ...view.keymap.actions.flatMap(({ keys, doc, where }) => rows(keysText(keys), doc, where)),
  ];
}

function keysText(keys: readonly string[]): string {
  return keys.length === 0 ? "no key" : keys.map(keyLabel).join(", ");
}
