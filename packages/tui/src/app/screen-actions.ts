import type { ScreenId } from "../screens/screen-rows.ts";
import type { Store } from "../state/store.ts";

export type ScreenActionsParts = {
  store: Store;
  loadHome(): Promise<void>;
  loadSettings(): Promise<void>;
  loadHistory(): Promise<void>;
};

/** Changes screens, and reads anew what the screen shows. */
export class ScreenActions {
  readonly #parts: ScreenActionsParts;

  constructor(parts: ScreenActionsParts) {
    this.#parts = parts;
  }

  show(screen: ScreenId): void {
    const { store, loadHome, loadSettings, loadHistory } = this.#parts;
    store.dispatch({ type: "screenShown", screen });
    const load = { home: loadHome, settings: loadSettings, history: loadHistory, chat: async () => undefined }[screen];
    void load();
  }

  /** Out of Settings and History, to where one came from. */
  back(): void {
    this.show(this.#parts.store.get().before);
  }
}
