import { enterHint, escapeHint } from "../../keymap/field-keys.ts";
import { hints, type KeyLabels } from "../../keymap/key-labels.ts";
import { keyLabel } from "../../keymap/key-name.ts";
import type { Action } from "../../keymap/keymap.ts";
import { EMPTY_ROW, padRow, type Row, row, sanitiseLine, span, style, wrapSpans } from "../../text/index.ts";
import { listMarker } from "../../widgets/boxes.ts";
import { listWindow } from "../../widgets/list-slice.ts";
import type { OverlayView } from "../../widgets/overlay-frame.ts";
import { isChanged, labelOf, shownActions } from "./shown-actions.ts";
import type { KeyList } from "./state.ts";

const MUTED = style({ fg: "muted" });
const WARNING = style({ fg: "warning" });
const CHANGED = style({ fg: "accent" });
/** The width from which names of actions are shown, which only people who write `keys.json` need. */
const WIDE = 110;

/** All keys by place, below the filter; the marked action can be rebound. */
export function keyListRows(list: KeyList, view: OverlayView): { rows: Row[]; keys: string } {
  const { filter, selected, pressing, message, keymap } = list;
  const columns = view.size.columns - 2;
  const shown = shownActions(list);
  const problems = [...keymap.problems, ...list.problems].flatMap((text) =>
    wrapSpans([span(sanitiseLine(text), WARNING)], columns),
  );
  const messageRows = message === undefined ? [] : wrapSpans([span(sanitiseLine(message), CHANGED)], columns);
  const above = [...(filter === "" ? [INPUT_KEYS] : []), EMPTY_ROW, ...problems, ...messageRows];
  const { rows, markedRow } = actionRows(shown, selected, columns);
  const { from, to } = listWindow(markedRow, rows.length, Math.max(3, view.size.rows - 3 - above.length));
  const body = shown.length === 0 ? [row(span("No key matches.", MUTED))] : rows.slice(from, to);
  return { rows: [...above, ...body], keys: keysText(pressing, view.keys) };
}

/** Characters with a meaning at the start of a message, which are not keys. */
const INPUT_KEYS = row(span("In the input: / commands · ! shell · @ files", MUTED));

function keysText(pressing: KeyList["pressing"], labels: KeyLabels): string {
  if (!pressing)
    return hints(
      labels.hint(["lists.up", "lists.down"], "move"),
      labels.hint("keys.change", "change"),
      labels.hint("keys.add", "add"),
      labels.hint("keys.clear", "remove"),
      labels.hint("keys.reset", "reset"),
      labels.hint("lists.close", "back"),
    );
  const { action, adds, first } = pressing;
  const cancel = escapeHint("cancels");
  if (first === undefined) return hints(`Press the key${adds ? " to add" : ""} for ${action}`, cancel);
  return hints(enterHint(`takes ${keyLabel(first)}`), "a second key makes a chord", cancel);
}

/** A row for each place and each action, and the row of the marked one. */
function actionRows(actions: readonly Action[], selected: number, columns: number): { rows: Row[]; markedRow: number } {
  const keyColumns = Math.min(34, Math.floor(columns / 3));
  const nameColumns = columns >= WIDE ? 28 : 0;
  const rows: Row[] = [];
  let markedRow = 0;
  for (const [at, action] of actions.entries()) {
    if (action.where !== actions[at - 1]?.where) rows.push(row(span(action.where, MUTED)));
    if (at === selected) markedRow = rows.length;
    const look = isChanged(action) ? CHANGED : action.keys.length === 0 ? MUTED : undefined;
    const keys = wrapSpans([span(labelOf(action), look)], keyColumns - 3);
    const doc = wrapSpans([span(action.doc)], columns - keyColumns - nameColumns - 1);
    for (let line = 0; line < Math.max(keys.length, doc.length); line++) {
      const isFirst = line === 0;
      const left = row(listMarker("", { isMarked: isFirst && at === selected }), ...(keys[line]?.spans ?? []));
      const both = row(...padRow(left, keyColumns).spans, ...(doc[line]?.spans ?? []));
      const wide = isFirst && nameColumns > 0 ? [span(action.action, MUTED)] : [];
      rows.push(row(...padRow(both, columns - nameColumns).spans, ...wide));
    }
  }
  return { rows, markedRow };
}
