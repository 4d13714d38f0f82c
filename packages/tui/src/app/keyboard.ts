import type { Clock } from "../client/harness-client.ts";
import type { ChatKeys } from "../composer/composer-keys.ts";
import type { Arming } from "../dialogs/arming.ts";
import { permissionKey, questionKey } from "../dialogs/dialog-keys.ts";
import type { CardDesk } from "../dialogs/dialog-queue.ts";
import type { TrustDesk } from "../dialogs/trust/trust-controller.ts";
import { bindingFor, type InputEvent, type KeyEvent } from "../input/index.ts";
import { windowKey } from "../keymap/window-keys.ts";
import type { ModelDesk } from "../overlays/models/model-controller.ts";
import type { RewindDesk } from "../overlays/rewind/rewind-controller.ts";
import { sheetKey } from "../overlays/sheets/sheet-keys.ts";
import type { HistoryDesk } from "../screens/history/history-controller.ts";
import type { SettingsDesk } from "../screens/settings/settings-controller.ts";
import type { SessionDesk } from "../session/session-controller.ts";
import type { AppState, Overlay } from "../state/app-state.ts";
import { frontCard, isBusy } from "../state/selectors.ts";
import type { Store } from "../state/store.ts";
import type { ScreenActions } from "./screen-actions.ts";

/** The transcript's own keys; where it is scrolled to is its business. */
export type TranscriptScroll = {
  scrollBy(rows: number): void;
  page(by: -1 | 1): void;
  toStart(): void;
  toEnd(): void;
  foldAll(): void;
  foldNewest(): void;
};

/** A second Ctrl+C within this time leaves. */
const LEAVE_MS = 2000;
const WHEEL_ROWS = 3;
const EXIT_INTERRUPTED = 130;

export type KeyboardParts = {
  store: Store;
  clock: Clock;
  sessions: Pick<SessionDesk, "cancel" | "refreshHud" | "cyclePermissionMode">;
  arming: Arming;
  cards: CardDesk;
  trust: TrustDesk;
  rewind: RewindDesk;
  chat: ChatKeys;
  settings: SettingsDesk;
  history: HistoryDesk;
  models: ModelDesk;
  screens: ScreenActions;
  scroll: TranscriptScroll;
  leave(code: number): void;
  suspend(): void;
  redraw(): void;
};

/** Gives each key to the one who has the keyboard: overlay, card, screen, composer. */
export class Keyboard {
  readonly #parts: KeyboardParts;
  #stopDisarming: (() => void) | undefined;

  constructor(parts: KeyboardParts) {
    this.#parts = parts;
  }

  take(event: InputEvent): void {
    const { redraw, sessions } = this.#parts;
    if (event.type === "reply") return;
    if (event.type === "focus") {
      if (!event.focused) return;
      redraw();
      return void sessions.refreshHud();
    }
    if (event.type === "key" && this.#always(event)) return;
    this.#route(event);
  }

  /** Keys that mean the same wherever the keyboard is. */
  #always(key: KeyEvent): boolean {
    const { screens, suspend, redraw } = this.#parts;
    const id = windowKey(key, "anywhere") ?? bindingFor(key, ["global"])?.id;
    if (id === "interrupt") this.#interrupt();
    else if (id === "suspend") suspend();
    else if (id === "redraw") redraw();
    else {
      this.#disarm();
      if (id !== "settings" && id !== "history") return false;
      if (!this.#parts.store.get().trust) screens.show(id);
    }
    return true;
  }

  #route(event: InputEvent): void {
    const { store, settings, history, trust } = this.#parts;
    const state = store.get();
    if (state.trust?.armed) {
      trust.key(event);
      return;
    }
    if (state.overlay && !state.trust) {
      this.#overlay(state.overlay, event);
      return;
    }
    if (state.screen === "settings") {
      settings.key(event);
      return;
    }
    if (state.screen === "history") {
      history.key(event);
      return;
    }
    if (!this.#card(state, event)) this.#chat(event);
  }

  #overlay(overlay: Overlay, event: InputEvent): void {
    const { store, models, rewind } = this.#parts;
    if (overlay.kind !== "models" && overlay.kind !== "rewind") sheetKey(store, overlay, event);
    else if (event.type === "key") (overlay.kind === "models" ? models : rewind).key(event);
  }

  /** True when a card took the event, or nothing may. */
  #card(state: AppState, event: InputEvent): boolean {
    const { store, cards, sessions } = this.#parts;
    const card = frontCard(state);
    const isCycle = event.type === "key" && windowKey(event, "chat") === "permissionMode";
    if (isCycle) {
      // A change of mode may decide what a card asks: like every answer it needs a card that was seen.
      if (!card || card.armed) void sessions.cyclePermissionMode();
      return true;
    }
    if (!card?.armed) return false;
    if (this.#scrolls(event, { page: false })) return true;
    if (card.kind === "permission") permissionKey(store, cards, card, event);
    else questionKey(store, cards, card, event);
    return true;
  }

  #chat(event: InputEvent): void {
    const { arming, chat, leave, store, scroll } = this.#parts;
    if (event.type === "key" && event.name === "escape" && !event.alt) {
      this.#escape();
      return;
    }
    const global = bindingFor(event, ["global"])?.id;
    if (global === "fold") {
      scroll.foldAll();
      return;
    }
    if (event.type === "key" && windowKey(event, "chat") === "foldNewest") {
      scroll.foldNewest();
      return;
    }
    if (global === "leave") {
      // With text in the input the key deletes forward, as in a shell.
      if (store.get().composer.buffer.isEmpty) leave(0);
      else chat.key({ type: "key", name: "delete", text: "", ctrl: false, alt: false, shift: false, meta: false });
      return;
    }
    if (this.#scrolls(event, { page: true })) return;
    if (chat.key(event)) arming.typed();
  }

  /** Close what is open; else stop the turn; else empty the input; else Home. */
  #escape(): void {
    const { store, chat, sessions, screens } = this.#parts;
    if (chat.escape()) return;
    const state = store.get();
    if (state.screen === "chat" && isBusy(state)) {
      sessions.cancel();
      return;
    }
    if (chat.clear()) return;
    if (state.notes.length > 0) store.dispatch({ type: "notesCleared" });
    else if (state.screen !== "home") screens.show("home");
  }

  /** Stop the turn; else empty the input. The second time within two seconds: leave. */
  #interrupt(): void {
    const { store, clock, chat, sessions, leave } = this.#parts;
    const state = store.get();
    if (state.leaveArmed) {
      leave(EXIT_INTERRUPTED);
      return;
    }
    if (isBusy(state)) sessions.cancel();
    else if (state.screen === "home" || state.screen === "chat") chat.clear();
    store.dispatch({ type: "leaveArmed", armed: true });
    this.#stopDisarming = clock.after(LEAVE_MS, () => this.#disarm());
  }

  #disarm(): void {
    this.#stopDisarming?.();
    this.#stopDisarming = undefined;
    this.#parts.store.dispatch({ type: "leaveArmed", armed: false });
  }

  #scrolls(event: InputEvent, { page }: { page: boolean }): boolean {
    const { scroll, store } = this.#parts;
    if (store.get().screen !== "chat") return false;
    if (event.type === "wheel") {
      if (!page) return false;
      scroll.scrollBy(event.direction * WHEEL_ROWS);
      return true;
    }
    const id = bindingFor(event, ["scroll"])?.id;
    if (id === "scrollToStart") scroll.toStart();
    else if (id === "scrollToEnd") scroll.toEnd();
    // On a card these scroll its preview.
    else if (!page) return false;
    else if (id === "pageUp") scroll.page(-1);
    else if (id === "pageDown") scroll.page(1);
    else if (id === "scrollUp") scroll.scrollBy(-1);
    else if (id === "scrollDown") scroll.scrollBy(1);
    else return false;
    return true;
  }
}
