import type { RewindTarget } from "@harness/protocol";
import { hints, type KeyLabels } from "../../keymap/key-labels.ts";
import { EMPTY_ROW, type Row, row, sanitiseLine, span, style } from "../../text/index.ts";
import { inset, listMarker, spread } from "../../widgets/boxes.ts";
import { formatCount, listWindow } from "../../widgets/list-slice.ts";
import { type OverlayView, overlayFrame } from "../../widgets/overlay-frame.ts";
import { type RewindPicker, type RewindPoint, rewindTargets } from "./state.ts";

const BOLD = style({ bold: true });
const MUTED = style({ fg: "muted" });
const ADDED = style({ fg: "added" });
const REMOVED = style({ fg: "removed" });

/** The user's messages, newest first, with what each turn changed; then the choice of what to restore. */
export function rewindPickerRows(picker: RewindPicker, view: OverlayView): Row[] {
  const { columns, rows: height } = view.size;
  const { keys } = view;
  const { places, selected, chosen, working, target = 0 } = picker;
  const place = places[selected];
  const { from, to } = listWindow(selected, places.length, height - 5 - (chosen ? 4 : 0));
  const rows = [
    row(span("Rewind to before", BOLD)),
    EMPTY_ROW,
    ...places.slice(from, to).map((each, at) => placeRow(each, from + at === selected, columns - 2)),
    ...(chosen && place
      ? [EMPTY_ROW, ...(working ? [row(span("Rewinding…", MUTED))] : choiceRows(place, target, keys))]
      : []),
  ];
  const below = hints(
    keys.hint(["lists.up", "lists.down"], "move"),
    keys.hint("rewind.mark", chosen ? "rewinds" : "choose"),
    keys.hint("lists.close", chosen ? "back to the list" : "close"),
  );
  return overlayFrame(inset(rows, columns), below, view);
}

function placeRow({ title, files, added, removed, kind }: RewindPoint, isMarked: boolean, width: number): Row {
  const name = sanitiseLine(title.trim()) || "(no words)";
  // Files without lines, such as empty ones, are not counted as +0 −0.
  const counts = added + removed > 0 ? [span(`  +${added}`, ADDED), span(` −${removed}`, REMOVED)] : [];
  const changes = [span(`  ${formatCount(files, "file")}`, MUTED), ...counts];
  const look = kind === "checkpoint" ? MUTED : undefined;
  return spread([listMarker(name, { isMarked, look })], files > 0 ? changes : [], width);
}

const targetTexts: Record<RewindTarget, string> = {
  both: "conversation and files",
  conversation: "the conversation; files stay as they are",
  files: "the files; the conversation stays",
};

function choiceRows(place: RewindPoint, target: number, keys: KeyLabels): Row[] {
  const why = "It is inside a turn, so only the files can go back to it:";
  const choices = rewindTargets(place).map((each, at) => {
    const key = keys.of(`rewind.${each}`);
    const text = key === undefined ? targetTexts[each] : `${key} ${targetTexts[each]}`;
    return row(listMarker(text, { isMarked: at === target }));
  });
  return [...(place.kind === "checkpoint" ? [row(span(why, MUTED))] : []), ...choices];
}
