import type { Scope } from "../keymap/scope.ts";
import { transcriptKeys } from "../keymap/shared-keys.ts";
import type { TranscriptView } from "../render/transcript/index.ts";
import type { Store } from "../state/store.ts";
import { chatKeys, windowKeys } from "./window-keys.ts";

/** What the keyboard can do with the transcript. */
export type Transcript = Pick<TranscriptView, "scrollBy" | "page" | "toStart" | "toEnd" | "foldAll" | "foldNewest">;

const WHEEL_ROWS = 3;

/** Scrolls the transcript while it is in view. */
export function transcriptScope(store: Store, transcript: Transcript): Scope {
  return (event) => {
    if (store.get().screen !== "chat") return false;
    const id = transcriptKeys.idOf(event);
    if (event.type === "wheel") transcript.scrollBy(event.direction * WHEEL_ROWS);
    else if (id === "pageUp") transcript.page(-1);
    else if (id === "pageDown") transcript.page(1);
    else if (id === "scrollUp") transcript.scrollBy(-1);
    else if (id === "scrollDown") transcript.scrollBy(1);
    else return false;
    return true;
  };
}

/** Keys that reach the transcript even while a dialog takes the others. */
export function transcriptEnds(store: Store, transcript: Transcript): Scope {
  return (event) => {
    const id = store.get().screen === "chat" ? transcriptKeys.idOf(event) : undefined;
    if (id === "scrollToStart") transcript.toStart();
    else if (id === "scrollToEnd") transcript.toEnd();
    else return false;
    return true;
  };
}

export function foldScope(transcript: Transcript): Scope {
  return (event) => {
    if (windowKeys.idOf(event) === "fold") transcript.foldAll();
    else if (chatKeys.idOf(event) === "foldNewest") transcript.foldNewest();
    else return false;
    return true;
  };
}
