import { modeLine } from "../composer/composer-rows.ts";
import { enterHint } from "../keymap/field-keys.ts";
import { hints, type KeyLabels } from "../keymap/key-labels.ts";
import type { Cursor } from "../render/frame.ts";
import type { FindState } from "../state/find.ts";
import { padRow, type Row, row, span, stringWidth, style, truncateRow } from "../text/index.ts";
import { vimMode } from "../vim/vim-selection.ts";

const BORDER = style({ fg: "border" });
const LABEL = style({ fg: "accent", bold: true });
const MUTED = style({ fg: "muted" });
const WARNING = style({ fg: "warning" });
const NAME = "find: ";
/** If the field would be narrower, the keys are not named. */
const MIN_FIELD = 24;

/** The search replaces the input at the same height: the query, the number of matches, and the keys. */
export function findRows(
  find: FindState,
  { columns, keys: names }: { columns: number; keys: KeyLabels },
): { rows: Row[]; cursor: Cursor | undefined } {
  const { query, vim, typing } = find;
  const line = row(span("─".repeat(columns), BORDER));
  const count = countText(find);
  const close = names.hint("anywhere.escape", "closes");
  const moves = [names.hint("find.older", "older"), names.hint("find.newer", "newer"), names.hint("find.edit", "edit")];
  const keys = typing ? hints(enterHint("goes on"), close) : hints(...moves, close);
  const hasKeys = columns - count.length - keys.length >= MIN_FIELD;
  const look = find.total === 0 && !find.searching ? WARNING : undefined;
  const end = [span(count, look), ...(hasKeys ? [span(`  ${keys}`, MUTED)] : [])];
  const endColumns = end.reduce((sum, { text }) => sum + stringWidth(text), 1);
  const room = Math.max(8 + NAME.length, columns - endColumns);
  // The cursor stays in view.
  const before = query.text.slice(0, query.offset);
  const hidden = Math.max(0, stringWidth(before) - (room - NAME.length - 2));
  const mode = typing ? vimMode({ buffer: query, vim }) : "";
  const left = row(span(NAME, LABEL), span([...query.text].slice(hidden).join("")));
  const field = row(...padRow(truncateRow(left, room), room).spans, ...end);
  const x = NAME.length + stringWidth(before) - hidden;
  return {
    rows: [line, truncateRow(field, columns), mode === "" ? line : modeLine(mode, columns)],
    cursor: typing ? { x, y: 1 } : undefined,
  };
}

function countText({ query, total, at, searching }: FindState): string {
  if (query.isEmpty) return "";
  if (total === 0) return searching ? "searching…" : "nothing found";
  return `${at} of ${total}${searching ? "+" : ""}`;
}
