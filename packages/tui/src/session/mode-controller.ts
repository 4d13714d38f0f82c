import { errorText } from "@harness/client";
import { type Modes, nextModes } from "@harness/client/actions";
import type { SessionConfig } from "@harness/protocol";
import type { WindowHost } from "../client/window-host.ts";
import { modeNote } from "../state/mode-note.ts";
import { modesInForce } from "../state/selectors.ts";

/** The session in view. */
type ConfigurableSession = { configure(config: SessionConfig): Promise<void>; refreshHud(): Promise<void> };

/** Switches what the agent may do without asking. */
export class ModeController {
  readonly #host: Pick<WindowHost, "store">;
  readonly #session: ConfigurableSession;
  /** The modes that were requested from the server and are not confirmed yet. */
  #asked: Modes | undefined;

  constructor(host: Pick<WindowHost, "store">, session: ConfigurableSession) {
    this.#host = host;
    this.#session = session;
  }

  /** Switches to the next mode, and describes it. A second press before the server has confirmed continues from the first. */
  async cycle(): Promise<void> {
    const { store } = this.#host;
    const state = store.get();
    if (!state.hud || state.reading) return;
    const from = this.#asked ?? modesInForce(state);
    const round = { hasSandbox: state.hud.sandbox?.active === true };
    const next = nextModes(from, round);
    this.#asked = next;
    try {
      const { permissionMode, mode } = next;
      await this.#session.configure({
        ...(permissionMode === from.permissionMode ? {} : { permissionMode }),
        ...(mode === (from.mode ?? "agent") ? {} : { mode }),
      });
      if (this.#asked === next) store.note("info", modeNote(next, nextModes(next, round)), "mode");
    } catch (error) {
      store.note("error", `The mode could not be changed: ${errorText(error)}`);
      await this.#session.refreshHud();
    } finally {
      if (this.#asked === next) this.#asked = undefined;
    }
  }
}
