import type { SessionSummary } from "@harness/protocol";
import { type InputEvent, type KeyEvent, TextBuffer } from "../../input/index.ts";
import type { Scope } from "../../keymap/scope.ts";
import { historyKeys } from "../../keymap/screen-keys.ts";
import { listKeys } from "../../keymap/shared-keys.ts";
import { type Confirm, confirmed, unconfirmed } from "../../widgets/confirm.ts";
import { lineEdited } from "../../widgets/line-edits.ts";
import { listMoved } from "../../widgets/list-moves.ts";
import type { ScreenHost } from "../screen.ts";
import type { HistoryController } from "./history-controller.ts";
import { type HistoryState, historySlice, selectedSession, shownSessions } from "./state.ts";

/** Is the oldest session wanted: by End, or by Up from the newest one? */
function isToEnd(key: KeyEvent, moved: number, count: number): boolean {
  const action = listKeys.idOf(key);
  return moved === count - 1 && (action === "last" || action === "up");
}

/** While a title or a filter is typed, or a question is open, keys belong to that; else to the list. */
export function historyScope({ store, window }: ScreenHost, history: HistoryController): Scope {
  const change = (changes: Partial<HistoryState>): void => historySlice.change(store, changes);

  function takeTitle(event: InputEvent, title: TextBuffer): void {
    const name = event.type === "key" ? event.name : "";
    if (name === "escape") change({ renaming: undefined, problem: undefined });
    else if (name === "enter") void history.saveTitle(title.text.trim());
    else {
      const next = lineEdited(title, event);
      if (next) change({ renaming: next, problem: undefined });
    }
  }

  function takeFilter(key: KeyEvent, { filter, selected }: HistoryState): void {
    const count = shownSessions(historySlice.of(store.get())).length;
    const moved = key.text === "" ? listMoved(key, selected, count) : undefined;
    if (moved !== undefined) history.mark(moved, { toEnd: isToEnd(key, moved, count) });
    else if (key.name === "escape") history.filter("", { typing: false });
    else if (key.name === "enter") change({ filtering: false });
    else if (key.name === "backspace") history.filter(filter.slice(0, -1), { typing: true });
    else if (key.text !== "") history.filter(filter + key.text, { typing: true });
  }

  function takeAnswer(key: KeyEvent, asking: Confirm): void {
    const answer = confirmed(key, asking);
    change({ asking: typeof answer === "string" ? undefined : answer });
    if (answer === "yes") void history.deleteSelected();
  }

  function takeListKey(key: KeyEvent, state: HistoryState): void {
    const count = shownSessions(state).length;
    const moved = listMoved(key, state.selected, count);
    if (moved !== undefined) history.mark(moved, { toEnd: isToEnd(key, moved, count) });
    else if (listKeys.idOf(key) !== "close") act(key, selectedSession(state));
    else if (state.filter === "") window.back();
    else history.filter("", { typing: false });
  }

  function act(key: KeyEvent, session: SessionSummary | undefined): void {
    const action = historyKeys.idOf(key);
    if (action === "filter") change({ filtering: true, problem: undefined });
    else if (!session) return;
    else if (action === "resume") void history.open(session.sessionId);
    else if (action === "delete") change({ asking: unconfirmed, problem: undefined });
    else if (action === "rename") change({ renaming: TextBuffer.of(session.title ?? ""), problem: undefined });
  }

  return (event) => {
    const state = historySlice.of(store.get());
    if (state.renaming) takeTitle(event, state.renaming);
    else if (event.type !== "key") return true;
    else if (state.asking) takeAnswer(event, state.asking);
    else if (state.filtering) takeFilter(event, state);
    else takeListKey(event, state);
    return true;
  };
}
