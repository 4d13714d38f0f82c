import { hints } from "../keymap/key-labels.ts";
import type { ChromeView } from "../state/chrome-view.ts";
import type { PromptSearch, TypedPrompt } from "../state/prompt-search.ts";
import { type Row, row, type Span, sanitiseLine, span, stringWidth, style, truncateText } from "../text/index.ts";
import { listMarker, spread } from "../widgets/boxes.ts";
import { listWindow } from "../widgets/list-slice.ts";

const MAX_ROWS = 8;
/** The longest visible beginning of a text. */
const MAX_SHOWN = 500;
const MUTED = style({ fg: "muted" });

type View = Pick<ChromeView, "size" | "keys">;

/** The results of a search through earlier messages, and the keys for it. */
export function promptSearchRows(search: PromptSearch | undefined, { size: { columns, rows }, keys }: View): Row[] {
  if (!search) return [];
  const { found, selected, pool } = search;
  const { from, to } = listWindow(selected, found.length, Math.max(2, Math.min(MAX_ROWS, rows - 8)));
  const list = found.slice(from, to).map((prompt, at) => promptRow(prompt, from + at === selected, columns));
  const count = found.length === 0 ? "Nothing found" : `${selected + 1} of ${found.length}`;
  const back = keys.hint("anywhere.escape", "back");
  const ways = [keys.hint("input.submit", "use"), keys.hint("input.historySearch", "older"), back];
  const hint = pool.length === 0 ? hints("No messages yet", back) : hints(count, ...ways);
  return [...list, row(span(" "), span(truncateText(hint, columns - 2), MUTED))];
}

function promptRow({ text, cwd }: TypedPrompt, isMarked: boolean, columns: number): Row {
  const folder = cwd === undefined ? "" : `  ${sanitiseLine(cwd.slice(cwd.lastIndexOf("/") + 1))}`;
  const place: Span[] = folder === "" ? [] : [span(truncateText(folder, 24), MUTED)];
  const shown = sanitiseLine(
    text
      .slice(0, MAX_SHOWN)
      .trim()
      .replace(/\s*\n\s*/g, " ⏎ "),
  );
  const room = columns - 4 - Math.min(24, stringWidth(folder));
  return spread([span(" "), listMarker(truncateText(shown, room), { isMarked })], place, columns - 1);
}
