import { type InputEvent, type KeyEvent, TextBuffer } from "../../input/index.ts";
import type { KeyScope } from "../../keymap/scope.ts";
import { historyKeys } from "../../keymap/screen-keys.ts";
import { listKeys } from "../../keymap/shared-keys.ts";
import { sanitiseLine } from "../../text/index.ts";
import { confirmed } from "../../widgets/confirm.ts";
import { listMoved } from "../../widgets/list-moves.ts";
import type { ScreenHost } from "../screen.ts";
import { historyActions } from "./actions.ts";
import type { HistoryController } from "./history-controller.ts";
import { type HistoryQuestion, type HistoryState, historySlice, listedEntries } from "./state.ts";
import { typedFields } from "./typed-fields.ts";

/** Keys that move in the search while it is being typed, and are keys of the list otherwise. */
const IN_TEXT: ReadonlySet<string> = new Set(["left", "right"]);
/** The actions that work while the preview has the whole screen. */
const READING: ReadonlySet<string> = new Set(["resume", "read", "scrollUp", "scrollDown"]);

/** True if the key asks for the oldest session: End, or Up from the newest one. */
function isToEnd(key: KeyEvent, moved: number, count: number): boolean {
  const action = listKeys.idOf(key);
  return moved === count - 1 && (action === "last" || action === "up");
}

/**
 * A title or folder being typed, and an open question, get the keys; otherwise the list does, and what types a
 * character searches. Once the list was moved, characters may be keys of the list again, as Space is.
 */
export function historyScope({ store, window, lines }: ScreenHost, history: HistoryController): KeyScope {
  const act = historyActions({ store }, history);
  const type = typedFields(lines, history);

  function takeAnswer(key: KeyEvent, asking: HistoryQuestion): void {
    const answer = confirmed(key, asking);
    history.change({ asking: typeof answer === "string" ? undefined : { ...asking, ...answer } });
    if (answer === "yes") void (asking.about === "delete" ? history.acts.remove() : history.acts.archive());
  }

  /** True if the event belongs to the search. */
  function edit(event: InputEvent, { filter }: HistoryState): boolean {
    const next = lines.edit(TextBuffer.of(filter), event)?.text;
    if (next === undefined) return false;
    const words = sanitiseLine(next).trimStart();
    // A slash begins a search elsewhere.
    const typed = words === "/" ? "" : words;
    if (typed !== filter) history.ask({ filter: typed, typing: typed !== "" });
    return true;
  }

  function close({ filter, marked }: HistoryState): void {
    if (filter !== "") history.ask({ filter: "", typing: false });
    else if (marked.size > 0) history.change({ marked: new Set() });
    else window.back();
  }

  function takeListKey(key: KeyEvent, state: HistoryState): boolean {
    const { selected, typing, filter } = state;
    if (typing && lines.keepsOpen(TextBuffer.of(filter), key)) return true;
    if (key.text !== "") return (!typing && act(key, state)) || edit(key, state);
    const count = listedEntries(state).length;
    const moved = listMoved(key, selected, count);
    if (moved !== undefined) history.select(moved, { toEnd: isToEnd(key, moved, count) });
    else if (listKeys.idOf(key) === "close") close(state);
    else return (typing && IN_TEXT.has(key.name) && edit(key, state)) || act(key, state) || edit(key, state);
    return true;
  }

  return (event) => {
    const state = historySlice.of(store.get());
    const { asking, working, reading } = state;
    if (event.type === "wheel") history.wheel(event.direction, event);
    if ((event.type !== "key" && event.type !== "paste") || type(event, state)) return true;
    if (event.type === "paste") edit(event, state);
    else if (asking) takeAnswer(event, asking);
    else if (working !== undefined && event.name === "escape") history.acts.stop();
    else if (!reading) takeListKey(event, state);
    else if (!scrolled(event, history) && READING.has(historyKeys.idOf(event) ?? "")) act(event, state);
    return true;
  };
}

/** True if the key moves the preview that has the whole screen, or ends it. */
function scrolled(key: KeyEvent, history: HistoryController): boolean {
  const page = history.preview.page;
  const action = listKeys.idOf(key);
  if (action === undefined) return false;
  if (action === "close") history.change({ reading: false });
  else
    history.preview.scroll(
      {
        up: -1,
        down: 1,
        pageUp: -page,
        pageDown: page,
        first: Number.NEGATIVE_INFINITY,
        last: Number.MAX_SAFE_INTEGER,
      }[action],
    );
  return true;
}
