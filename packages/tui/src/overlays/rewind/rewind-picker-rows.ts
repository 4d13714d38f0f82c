import type { ChromeView } from "../../state/chrome-view.ts";
import type { RewindPicker, RewindPlace } from "../../state/overlay.ts";
import { EMPTY_ROW, type Row, row, sanitiseLine, span, style } from "../../text/index.ts";
import { inset, marked, spread } from "../../widgets/boxes.ts";
import { counted, listWindow } from "../../widgets/list-slice.ts";
import { overlayFrame } from "../../widgets/overlay-frame.ts";

const BOLD = style({ bold: true });
const MUTED = style({ fg: "muted" });
const ADDED = style({ fg: "added" });
const REMOVED = style({ fg: "removed" });

/** The person's messages, newest first, with what each turn changed; then the choice of what to restore. */
export function rewindPickerRows(picker: RewindPicker, view: Pick<ChromeView, "size" | "leaveArmed" | "chord">): Row[] {
  const { columns, rows: height } = view.size;
  const { places, selected, chosen, working } = picker;
  const place = places[selected];
  const { from, to } = listWindow(selected, places.length, height - 5 - (chosen ? 4 : 0));
  const rows = [
    row(span("Rewind to before", BOLD)),
    EMPTY_ROW,
    ...places.slice(from, to).map((each, at) => placeRow(each, from + at === selected, columns - 2)),
    ...(chosen && place ? [EMPTY_ROW, ...(working ? [row(span("Rewinding…", MUTED))] : choiceRows(place))] : []),
  ];
  const keys = chosen ? "Esc back to the list" : "↑↓ move · Enter choose · Esc close";
  return overlayFrame(inset(rows, columns), keys, view);
}

function placeRow({ text, files, added, removed, kind }: RewindPlace, isMarked: boolean, width: number): Row {
  const name = sanitiseLine(text.trim()) || "(no words)";
  // Files without a line, as empty ones, are not counted as +0 −0.
  const counts = added + removed > 0 ? [span(`  +${added}`, ADDED), span(` −${removed}`, REMOVED)] : [];
  const changes = [span(`  ${counted(files, "file")}`, MUTED), ...counts];
  const look = kind === "checkpoint" ? MUTED : undefined;
  return spread([marked(name, { isMarked, look })], files > 0 ? changes : [], width);
}

function choiceRows({ kind }: RewindPlace): Row[] {
  const forMessages = ["b conversation and files", "c the conversation; files stay as they are"];
  const texts = [...(kind === "message" ? forMessages : []), "f the files; the conversation stays"];
  return texts.map((text) => row(span(text)));
}
