import type { KeyScope } from "../../keymap/scope.ts";
import { homeKeys } from "../../keymap/screen-keys.ts";
import { hasPictures } from "../../state/attachments.ts";
import { isWithoutModel } from "../../state/selectors.ts";
import { clampSelection } from "../../widgets/list-slice.ts";
import type { ScreenHost } from "../screen.ts";
import { starterScope } from "./starter-keys.ts";
import { homeOptions, homeSlice, unmark } from "./state.ts";

/** Keys of the list of recent sessions, as long as the input is empty. */
export function recentList(host: ScreenHost): KeyScope {
  const { store, session, window } = host;
  const takeStarter = starterScope(host);
  const open = (): void => {
    const state = store.get();
    const { recent, marked } = homeSlice.of(state);
    if (isWithoutModel(state)) {
      window.chooseModel(homeOptions(state)[marked ?? 0]);
      return;
    }
    const chosen = marked === undefined ? undefined : recent?.[marked];
    if (chosen) void session.open(chosen.sessionId);
    else if (state.session || state.dialogs.length > 0) window.show("chat");
  };
  const move = (by: 1 | -1): void => {
    const state = store.get();
    const { recent = [], marked } = homeSlice.of(state);
    if (isWithoutModel(state)) {
      homeSlice.change(store, { marked: clampSelection((marked ?? 0) + by, homeOptions(state).length) });
      return;
    }
    if (recent.length === 0) return;
    // Up from the first row returns to the input.
    const next = marked === undefined ? (by > 0 ? 0 : recent.length - 1) : marked + by;
    homeSlice.change(store, { marked: next < 0 ? undefined : next });
  };
  return (event) => {
    if (takeStarter(event)) return true;
    const state = store.get();
    const action = state.composer.buffer.isEmpty ? homeKeys.idOf(event) : undefined;
    if (action === "open") {
      // Images may be sent without text.
      if (hasPictures(state) && homeSlice.of(state).marked === undefined) return false;
      open();
    } else if (action === "markUp" || action === "markDown") {
      if (!isWithoutModel(state) && !homeSlice.of(state).recent?.length) return false;
      move(action === "markDown" ? 1 : -1);
    } else {
      // All other keys go to the input.
      if (event.type === "key" || event.type === "paste") unmark(store);
      return false;
    }
    return true;
  };
}
