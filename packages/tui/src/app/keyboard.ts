import { ROOT_AGENT } from "@harness/protocol";
import type { WindowHost } from "../client/window-host.ts";
import type { ComposerScope } from "../composer/composer-scope.ts";
import type { InputEvent } from "../input/index.ts";
import { keyName } from "../keymap/key-name.ts";
import { type Scope, takenBy } from "../keymap/scope.ts";
import type { SessionController } from "../session/session-controller.ts";
import type { Stopping } from "../session/stopping.ts";
import { screenKeys } from "./navigation.ts";
import { windowKeys } from "./window-keys.ts";

/** A second Ctrl+C within this time leaves. */
const LEAVE_MS = 2000;
const EXIT_INTERRUPTED = 130;

export type KeyboardParts = Pick<WindowHost, "store" | "clock"> & {
  session: SessionController;
  composer: ComposerScope;
  stopping: Stopping;
  window: { show(screen: string): void; leave(code: number): void; suspend(): void; redraw(): void };
};

/** Offers each event to the scopes in order; a few keys mean the same wherever the keyboard is. */
export class Keyboard {
  readonly #parts: KeyboardParts;
  readonly #scopes: readonly Scope[];
  #stopDisarming: (() => void) | undefined;

  /** `scopes`: in the order in which they are asked: dialogs over everything, overlays, the screen. */
  constructor(parts: KeyboardParts, scopes: readonly Scope[]) {
    this.#parts = parts;
    this.#scopes = [(event) => this.#window(event), ...scopes];
  }

  take(event: InputEvent): void {
    takenBy(this.#scopes, event);
  }

  #window(event: InputEvent): boolean {
    const { window, session, stopping } = this.#parts;
    if (event.type === "focus" && event.focused) {
      window.redraw();
      void session.refreshHud();
    }
    if (event.type === "reply" || event.type === "focus") return true;
    if (event.type !== "key") return false;
    const id = windowKeys.idOf(event);
    if (id === "interrupt") this.#interrupt();
    else if (id === "suspend") window.suspend();
    else if (id === "redraw") window.redraw();
    else {
      this.#disarm();
      if (windowKeys.idOf(event) !== "escape") stopping.disarm();
      return this.#showScreen(keyName(event));
    }
    return true;
  }

  #showScreen(key: string): boolean {
    const { store, window } = this.#parts;
    const screen = screenKeys.get(key);
    // The trust question has to be answered first.
    if (screen !== undefined && !store.get().trust) window.show(screen);
    return screen !== undefined;
  }

  /** Stop the turn; else empty the input. The second time: stop what goes on in the background; else leave. */
  #interrupt(): void {
    const { store, clock, composer, session, stopping, window } = this.#parts;
    const state = store.get();
    if (stopping.stopInView()) return;
    if (state.screen === "chat" && state.agentInView !== ROOT_AGENT) {
      // It has ended: the turn of another agent is not what the key is about here.
      if (!composer.clear()) session.showAgent(ROOT_AGENT);
      return;
    }
    if (state.leaveArmed) {
      if (!stopping.stopBackground()) window.leave(EXIT_INTERRUPTED);
      return;
    }
    if (!stopping.stop() && (state.screen === "home" || state.screen === "chat")) composer.clear();
    store.dispatch({ type: "leaveArmed", armed: true });
    this.#stopDisarming = clock.after(LEAVE_MS, () => this.#disarm());
  }

  #disarm(): void {
    this.#stopDisarming?.();
    this.#stopDisarming = undefined;
    this.#parts.store.dispatch({ type: "leaveArmed", armed: false });
  }
}
