import { knownCommands } from "../commands/known-commands.ts";
import { keyDocs, screenDocs } from "../docs.ts";
import type { ChromeView } from "../state/chrome-view.ts";
import { padRow, type Row, row, sanitiseLine, span, style, truncateRow } from "../text/index.ts";

const ACCENT = style({ fg: "accent" });
const MUTED = style({ fg: "muted" });
const HEADING = style({ bold: true });
const NAME_COLUMNS = 34;

function entry(name: string, text: string, detail = ""): Row {
  const left = padRow(truncateRow(row(span(`  ${name}`, ACCENT)), NAME_COLUMNS - 1), NAME_COLUMNS);
  return row(...left.spans, span(text), ...(detail === "" ? [] : [span(`  ${detail}`, MUTED)]));
}

/** Made from the tables of commands, screens and keys. */
export function helpRows(view: Pick<ChromeView, "serverCommands">): Row[] {
  const commands = knownCommands(view).map(({ name, description, argumentHint }) =>
    entry(`/${name}${argumentHint ? ` ${sanitiseLine(argumentHint)}` : ""}`, sanitiseLine(description)),
  );
  return [
    row(span("Commands", HEADING)),
    ...commands,
    row(span(" ")),
    row(span("Screens", HEADING)),
    ...screenDocs().map(([title = "", key = "", purpose = ""]) => entry(`${title} (${key})`, purpose)),
    row(span(" ")),
    row(span("Keys", HEADING)),
    ...keyDocs().map(([keys = "", where = "", what = ""]) => entry(keys, what, where)),
  ];
}
