import type { WindowHost } from "../client/window-host.ts";
import type { AppState } from "../state/app-state.ts";
import { messageOf } from "../state/composer.ts";
import { isWithoutModel } from "../state/selectors.ts";
import { loadProviders } from "./server-catalog.ts";

/** How often to look for a server: at first, and after none has come up for a while. */
const LOOK_MS = 3_000;
const LATER_MS = 15_000;
const EAGER_LOOKS = 20;

export type ModelWatchActions = {
  /** Reads again what the window shows about the model. */
  refreshHud(): Promise<void>;
  /** Reads the models again if their list is in view. */
  refreshList(): Promise<void>;
  /** Sends the text of the input. */
  submit(): void;
};

/** Without a model: looks for a server that comes up, and then sends the waiting message. */
export class ModelWatch {
  readonly #host: Pick<WindowHost, "store" | "server" | "clock">;
  readonly #actions: ModelWatchActions;
  readonly #unsubscribe: () => void;
  #stopTimer: (() => void) | undefined;
  #looks = 0;

  constructor(host: Pick<WindowHost, "store" | "server" | "clock">, actions: ModelWatchActions) {
    this.#host = host;
    this.#actions = actions;
    this.#unsubscribe = host.store.subscribe(() => this.#follow());
  }

  close(): void {
    this.#unsubscribe();
    this.#stopTimer?.();
  }

  #follow(): void {
    const state = this.#host.store.get();
    if (isWithoutModel(state)) this.#plan();
    else if (state.hud?.model !== undefined) this.#found(state);
  }

  #plan(): void {
    const { clock } = this.#host;
    this.#stopTimer ??= clock.after(this.#looks < EAGER_LOOKS ? LOOK_MS : LATER_MS, () => void this.#look());
  }

  async #look(): Promise<void> {
    const { store } = this.#host;
    this.#looks += 1;
    await loadProviders(this.#host);
    const { providers, overlay } = store.get();
    if (overlay?.kind === "models") await this.#actions.refreshList();
    if (providers?.selected && isWithoutModel(store.get())) {
      await this.#actions.refreshHud();
      const { hud } = store.get();
      if (hud?.model !== undefined && hud.provider !== undefined)
        store.note(
          "info",
          `Found ${hud.model} ${hud.place ?? `from ${hud.provider}`}, which is used from now on. /model lists the others.`,
        );
    }
    this.#stopTimer = undefined;
    this.#follow();
  }

  #found({ held, composer, overlay }: AppState): void {
    this.#stopTimer?.();
    this.#stopTimer = undefined;
    this.#looks = 0;
    if (held === undefined || overlay?.kind === "models") return;
    this.#host.store.set({ held: undefined });
    // If the text has changed since, it is not the message that the user sent.
    if (messageOf(composer) === held) this.#actions.submit();
  }
}
