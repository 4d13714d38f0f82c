import type { InputEvent } from "../../input/index.ts";
import type { KeyScope } from "../../keymap/scope.ts";
import { homeKeys } from "../../keymap/screen-keys.ts";
import { withEdited } from "../../state/composer.ts";
import { isWithoutModel } from "../../state/selectors.ts";
import type { ScreenHost } from "../screen.ts";
import { isStarterKey, starterKeys, startersOf } from "./starters.ts";

/** The digit may also begin a message of the user's own, such as `2 tests fail`: the next key shows it. */
const GRACE_MS = 500;

/** A starter whose message is in the input, and about to be sent. */
type PendingStarter = { readonly digit: string; readonly message: string; readonly cancel: () => void };

/**
 * The keys of the starters: one key writes the message and sends it. It is in view from the first moment, permissions
 * are asked as for any message, and any other key within the grace keeps it from being sent.
 */
export function starterScope({ store, clock, window }: ScreenHost): KeyScope {
  let chosen: PendingStarter | undefined;
  const send = (message: string): void => {
    chosen = undefined;
    const { screen, composer } = store.get();
    if (screen === "home" && composer.buffer.text === message) window.submit();
  };
  return (event) => {
    const before = chosen;
    if (event.type === "key" || event.type === "paste") {
      before?.cancel();
      chosen = undefined;
    }
    const state = store.get();
    if (before) {
      const isWritten = state.composer.buffer.text === before.message && typesText(event);
      if (isWritten) store.set({ composer: withEdited(state.composer, before.digit) });
      return false;
    }
    const action = state.composer.buffer.isEmpty ? homeKeys.idOf(event) : undefined;
    if (!isStarterKey(action) || state.screen !== "home" || isWithoutModel(state)) return false;
    const starter = startersOf(state)[starterKeys.indexOf(action)];
    if (!starter) return false;
    const { message } = starter;
    store.set({ composer: withEdited(state.composer, message) });
    const digit = event.type === "key" ? event.text : "";
    chosen = { digit, message, cancel: clock.after(GRACE_MS, () => send(message)) };
    return true;
  };
}

function typesText(event: InputEvent): boolean {
  if (event.type === "paste") return true;
  return event.type === "key" && event.text !== "" && !event.ctrl && !event.alt && !event.meta;
}
