import type { SessionSummary } from "@harness/protocol";
import { type InputEvent, type KeyEvent, TextBuffer } from "../../input/index.ts";
import type { KeyScope } from "../../keymap/scope.ts";
import { historyKeys } from "../../keymap/screen-keys.ts";
import { listKeys } from "../../keymap/shared-keys.ts";
import { sanitiseLine } from "../../text/index.ts";
import { type Confirm, confirmed, unconfirmed } from "../../widgets/confirm.ts";
import { listMoved } from "../../widgets/list-moves.ts";
import type { ScreenHost } from "../screen.ts";
import type { HistoryController } from "./history-controller.ts";
import { type HistoryState, historySlice, selectedSession, shownSessions } from "./state.ts";

/** True if the key asks for the oldest session: End, or Up from the newest one. */
function isToEnd(key: KeyEvent, moved: number, count: number): boolean {
  const action = listKeys.idOf(key);
  return moved === count - 1 && (action === "last" || action === "up");
}

/** While a title or filter is being typed or a question is open, it gets the keys; otherwise the list does. */
export function historyScope({ store, window, lines }: ScreenHost, history: HistoryController): KeyScope {
  const change = (changes: Partial<HistoryState>): void => historySlice.change(store, changes);

  function takeTitle(event: InputEvent, title: TextBuffer): void {
    const name = event.type === "key" ? event.name : "";
    if (name === "escape") change({ renaming: undefined, problem: undefined });
    else if (name === "enter") void history.saveTitle(title.text.trim());
    else {
      const next = lines.edit(title, event);
      if (next) change({ renaming: next, problem: undefined });
    }
  }

  function takeFilter(event: InputEvent, { filter, selected }: HistoryState): void {
    const count = shownSessions(historySlice.of(store.get())).length;
    const isKey = event.type === "key";
    const moved = isKey && event.text === "" ? listMoved(event, selected, count) : undefined;
    if (isKey && moved !== undefined) history.mark(moved, { toEnd: isToEnd(event, moved, count) });
    else if (isKey && event.name === "escape") history.filter("", { typing: false });
    else if (isKey && event.name === "enter") change({ filtering: false });
    else {
      const next = lines.edit(TextBuffer.of(filter), event)?.text;
      if (next !== undefined && next !== filter) history.filter(next, { typing: true });
    }
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
    else if (action === "rename")
      change({ renaming: TextBuffer.of(sanitiseLine(session.title ?? "")), problem: undefined });
  }

  return (event) => {
    const state = historySlice.of(store.get());
    if (state.renaming) takeTitle(event, state.renaming);
    else if (state.filtering && !state.asking) takeFilter(event, state);
    else if (event.type !== "key") return true;
    else if (state.asking) takeAnswer(event, state.asking);
    else takeListKey(event, state);
    return true;
  };
}
