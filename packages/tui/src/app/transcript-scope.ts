import type { InputEvent } from "../input/index.ts";
import type { Scope } from "../keymap/scope.ts";
import { transcriptKeys } from "../keymap/shared-keys.ts";
import type { Store } from "../state/store.ts";
import { chatKeys, windowKeys } from "./window-keys.ts";

/** What the keyboard can do with the transcript. */
export type TranscriptControl = {
  scrollBy(rows: number): void;
  page(by: -1 | 1): void;
  toStart(): void;
  toEnd(): void;
  foldAll(): void;
  foldNewest(): void;
};

const WHEEL_ROWS = 3;

/** Scrolls the transcript while it is in view. */
export function transcriptScope(store: Store, transcript: TranscriptControl): Scope {
  return {
    take(event) {
      if (store.get().screen !== "chat") return false;
      if (event.type === "wheel") {
        transcript.scrollBy(event.direction * WHEEL_ROWS);
        return true;
      }
      const id = transcriptKeys.idOf(event);
      if (id === "pageUp") transcript.page(-1);
      else if (id === "pageDown") transcript.page(1);
      else if (id === "scrollUp") transcript.scrollBy(-1);
      else if (id === "scrollDown") transcript.scrollBy(1);
      else return false;
      return true;
    },
  };
}

/** Keys that reach the transcript even while a dialog takes the others. */
export function transcriptEnds(store: Store, transcript: TranscriptControl): Scope {
  return {
    take(event) {
      if (store.get().screen !== "chat") return false;
      const id = transcriptKeys.idOf(event);
      if (id === "scrollToStart") transcript.toStart();
      else if (id === "scrollToEnd") transcript.toEnd();
      return id === "scrollToStart" || id === "scrollToEnd";
    },
  };
}

export function foldScope(transcript: TranscriptControl): Scope {
  return {
    take(event: InputEvent) {
      if (windowKeys.idOf(event) === "fold") transcript.foldAll();
      else if (chatKeys.idOf(event) === "foldNewest") transcript.foldNewest();
      else return false;
      return true;
    },
  };
}
