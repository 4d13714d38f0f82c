import { ROOT_AGENT } from "@harness/protocol";
import type { WindowHost } from "../client/window-host.ts";
import type { ComposerScope } from "../composer/composer-scope.ts";
import type { InputEvent } from "../input/index.ts";
import { ChordReader } from "../keymap/chord-reader.ts";
import { keyLabel } from "../keymap/key-name.ts";
import type { KeyRow } from "../keymap/key-table.ts";
import { type Keymap, usualKeymap } from "../keymap/keymap.ts";
import { type NamedScope, takenBy } from "../keymap/scope.ts";
import { screenKeys } from "../keymap/screen-keys.ts";
import { windowKeys } from "../keymap/window-keys.ts";
import type { RewindController } from "../overlays/rewind/rewind-controller.ts";
import { type ScreenId, screenRow } from "../screens/index.ts";
import type { SessionController } from "../session/session-controller.ts";
import type { StopKeys } from "../session/stop-keys.ts";
import { isTooSmall } from "../window/first-frame.ts";

/** A second Ctrl+C within this time leaves. */
const LEAVE_MS = 2000;
const EXIT_INTERRUPTED = 130;

type KeyboardDeps = Pick<WindowHost, "store" | "clock"> & {
  session: SessionController;
  composer: ComposerScope;
  stopping: StopKeys;
  rewind: RewindController;
  window: {
    show(screen: string): void;
    leave(code: number): void;
    suspend(): void;
    redraw(): void;
    mountedScopes(): readonly string[];
  };
};

/**
 * Reads chords and offers each event to the scopes that mounted components name; a few keys mean the same everywhere.
 */
export class Keyboard {
  readonly #deps: KeyboardDeps;
  readonly #scopes: Readonly<Record<string, NamedScope>>;
  #chords: { reader: ChordReader; of: Keymap };
  #stopDisarming: (() => void) | undefined;

  /** `scopes`: by the names that components use for them. */
  constructor(deps: KeyboardDeps, scopes: Readonly<Record<string, NamedScope>>) {
    this.#deps = deps;
    this.#scopes = scopes;
    this.#chords = chordsOf(usualKeymap);
  }

  take(event: InputEvent): void {
    const { keymap } = this.#deps.store.get();
    if (this.#chords.of !== keymap) this.#chords = chordsOf(keymap);
    const read = this.#chords.reader.take(event);
    this.#showChord();
    if (this.#closesSheet(event)) return;
    const whole = read?.type === "key" ? { ...read, keymap } : read;
    if (!whole || this.#isUnseen(whole) || this.#isTaken(whole)) return;
    if (whole.type === "key" && whole.name.includes(" "))
      this.#deps.store.note("info", `${keyLabel(whole.name)} does nothing here.`);
  }

  /** The sheet of keys ends with any key, which is then used; one that only wants to close it does nothing else. */
  #closesSheet(event: InputEvent): boolean {
    const { store } = this.#deps;
    if (!store.get().keySheet || (event.type !== "key" && event.type !== "paste")) return false;
    store.set({ keySheet: false });
    return event.type === "key" && (event.name === "escape" || event.name === "?");
  }

  /** The window's keys mean the same everywhere; only a scope that waits for any key precedes them. */
  #isTaken(event: InputEvent): boolean {
    const mounted = this.#deps.window.mountedScopes().flatMap((name) => this.#scopes[name] ?? []);
    const captures = mounted.flatMap(({ capture }) => capture ?? []);
    const takes = mounted.flatMap(({ take }) => take ?? []);
    return takenBy([...captures, (each) => this.#window(each), ...takes], event);
  }

  /** If nothing is drawn, keys would act on things that nobody sees: only keys that end or fix that state work. */
  #isUnseen(event: InputEvent): boolean {
    if (!isTooSmall(this.#deps.store.get().size)) return false;
    if (event.type !== "key" && event.type !== "paste") return false;
    const id = windowKeys.idOf(event);
    return id !== "interrupt" && id !== "suspend" && id !== "redraw";
  }

  #showChord(): void {
    const { store } = this.#deps;
    const { begun } = this.#chords.reader;
    const { chord, screen, overlay } = store.get();
    if (begun === chord?.first) return;
    const hasInput = !overlay && screenRow(screen).hasInput === true;
    const rows = this.#chords.of.actions.filter(({ where }) => hasInput || where === windowKeys.where);
    store.set({ chord: begun === undefined ? undefined : { first: begun, next: continuations(begun, rows) } });
  }

  #window(event: InputEvent): boolean {
    const { window, session, stopping, rewind } = this.#deps;
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
      if (id !== "escape") {
        stopping.disarm();
        rewind.disarm();
      }
      return this.#showScreen(screenKeys.idOf(event));
    }
    return true;
  }

  #showScreen(screen: ScreenId | undefined): boolean {
    const { store, window } = this.#deps;
    // The trust question has to be answered first.
    if (screen !== undefined && !store.get().trust) window.show(screen);
    return screen !== undefined;
  }

  /** Stops the turn; else empties the input. The second press stops background work; else leaves. */
  #interrupt(): void {
    const { store, clock, composer, session, stopping, window } = this.#deps;
    const state = store.get();
    if (stopping.stopInView()) return;
    if (state.screen === "chat" && state.agentInView !== ROOT_AGENT) {
      // It has ended: the key is not about another agent's turn here.
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
    this.#deps.store.dispatch({ type: "leaveArmed", armed: false });
  }
}

function chordsOf(keymap: Keymap): { reader: ChordReader; of: Keymap } {
  return { reader: new ChordReader(keymap.actions.flatMap(({ keys }) => keys)), of: keymap };
}

/** The second keys of the chords that begin with this key, by letter. */
function continuations(first: string, rows: readonly KeyRow[]): { key: string; hint: string }[] {
  const start = `${first} `;
  return rows
    .flatMap(({ keys, hint, doc }) =>
      keys.filter((key) => key.startsWith(start)).map((key) => ({ key: key.slice(start.length), hint: hint ?? doc })),
    )
    .sort((a, b) => (a.key < b.key ? -1 : 1));
}
