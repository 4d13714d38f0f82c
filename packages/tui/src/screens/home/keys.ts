import { keyTable } from "../../keymap/key-table.ts";
import type { Scope } from "../../keymap/scope.ts";
import type { ScreenHost } from "../screen.ts";
import { homeSlice, unmark } from "./state.ts";

export const homeKeys = keyTable("home", [
  { id: "open", keys: ["enter"], doc: "Open the marked session, or go back to the open one" },
  { id: "markUp", keys: ["up"], doc: "Mark the session above (while the input is empty)" },
  { id: "markDown", keys: ["down"], doc: "Mark the session below (while the input is empty)" },
]);

/** Keys of the list of recent sessions, while the input is empty. */
export function recentList({ store, session, window }: ScreenHost): Scope {
  const open = (): void => {
    const state = store.get();
    const { recent, marked } = homeSlice.of(state);
    const chosen = marked === undefined ? undefined : recent?.[marked];
    if (chosen) void session.open(chosen.sessionId);
    else if (state.session || state.dialogs.length > 0) window.show("chat");
  };
  const move = (by: 1 | -1): void => {
    const { recent = [], marked } = homeSlice.of(store.get());
    if (recent.length === 0) return;
    // Above the first row is the input again.
    const next = marked === undefined ? (by > 0 ? 0 : recent.length - 1) : marked + by;
    homeSlice.change(store, { marked: next < 0 ? undefined : next });
  };
  return (event) => {
    const action = store.get().composer.buffer.isEmpty ? homeKeys.idOf(event) : undefined;
    if (action === "open") open();
    else if (action === "markUp" || action === "markDown") {
      if (!homeSlice.of(store.get()).recent?.length) return false;
      move(action === "markDown" ? 1 : -1);
    } else {
      // All other keys go to the input.
      if (event.type === "key" || event.type === "paste") unmark(store);
      return false;
    }
    return true;
  };
}
