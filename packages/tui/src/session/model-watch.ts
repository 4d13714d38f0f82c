import type { WindowHost } from "../client/window-host.ts";
import type { AppState } from "../state/app-state.ts";
import { messageOf } from "../state/composer.ts";
import { isWithoutModel } from "../state/selectors.ts";
import { loadProviders } from "./server-catalog.ts";

/** A server is looked for this often at first, and less often when none has come up for a while. */
const LOOK_MS = 3_000;
const LATER_MS = 15_000;
const EAGER_LOOKS = 20;

export type ModelWatchActions = {
  /** Reads what the window shows of the model again. */
  refreshHud(): Promise<void>;
  /** Reads the models again where their list is in view. */
  refreshList(): Promise<void>;
  /** Sends what is in the input. */
  submit(): void;
};

/** While there is no model: looks for a server that comes up, and sends the message that waits once there is one. */
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
          `Found ${hud.model} from ${hud.provider}, which is used from now on. /model lists the others.`,
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
    // Text changed since then is not the message that the person sent.
    if (messageOf(composer) === held) this.#actions.submit();
  }
}
