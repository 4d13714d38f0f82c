import type { KeyScope } from "../keymap/scope.ts";
import { transcriptKeys } from "../keymap/shared-keys.ts";
import { chatKeys, windowKeys } from "../keymap/window-keys.ts";
import type { TranscriptView } from "../render/transcript/index.ts";
import { settingsSlice, settingValue } from "../screens/settings/state.ts";
import type { Store } from "../state/store.ts";

/** Used until the settings have been read. */
const WHEEL_ROWS = 3;

/** Transcript operations for the keyboard. */
export type Transcript = Pick<
  TranscriptView,
  "scrollBy" | "page" | "toStart" | "toEnd" | "foldAll" | "foldNewest" | "reveal" | "mark" | "onceShown"
>;

function wheelRows(store: Store): number {
  const rows = settingValue(settingsSlice.of(store.get()).settings, "wheel_rows");
  return typeof rows === "number" ? rows : WHEEL_ROWS;
}

/** Scrolls the transcript while it is in view. */
export function transcriptScope(store: Store, transcript: Transcript): KeyScope {
  return (event) => {
    if (store.get().screen !== "chat") return false;
    const id = transcriptKeys.idOf(event);
    if (event.type === "wheel") transcript.scrollBy(event.direction * wheelRows(store));
    else if (id === "pageUp") transcript.page(-1);
    else if (id === "pageDown") transcript.page(1);
    else if (id === "scrollUp") transcript.scrollBy(-1);
    else if (id === "scrollDown") transcript.scrollBy(1);
    else return false;
    return true;
  };
}

/** Keys that reach the transcript even while a dialog takes the others. */
export function transcriptEnds(store: Store, transcript: Transcript): KeyScope {
  return (event) => {
    const id = store.get().screen === "chat" ? transcriptKeys.idOf(event) : undefined;
    if (id === "scrollToStart") transcript.toStart();
    else if (id === "scrollToEnd") transcript.toEnd();
    else return false;
    return true;
  };
}

export function foldScope(transcript: Transcript): KeyScope {
  return (event) => {
    if (windowKeys.idOf(event) === "fold") transcript.foldAll();
    else if (chatKeys.idOf(event) === "foldNewest") transcript.foldNewest();
    else return false;
    return true;
  };
}
