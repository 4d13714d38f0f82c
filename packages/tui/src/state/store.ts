import type { KeySentence } from "../keymap/key-labels.ts";
import type { AppState, Note } from "./app-state.ts";
import { type AppEvent, reduce } from "./reduce.ts";

export type Store = {
  readonly get: () => AppState;
  readonly dispatch: (event: AppEvent) => void;
  /** Replaces parts of the state that no others depend on. */
  readonly set: (changes: Extract<AppEvent, { type: "changed" }>["changes"]) => void;
  /** Shows a line above the input. */
  readonly note: (severity: Note["severity"], text: string | KeySentence, of?: Note["of"]) => void;
  /** Calls the listener after each change, without arguments; returns a function that unsubscribes. */
  readonly subscribe: (listener: () => void) => () => void;
};

export function createStore(initial: AppState): Store {
  let state = initial;
  const listeners = new Set<() => void>();
  const dispatch = (event: AppEvent): void => {
    const next = reduce(state, event);
    if (next === state) return;
    state = next;
    for (const listener of listeners) listener();
  };
  return {
    get: () => state,
    dispatch,
    set: (changes) => dispatch({ type: "changed", changes }),
    note: (severity, sentence, of) => {
      const text = typeof sentence === "string" ? sentence : sentence(state.keymap.names);
      dispatch({
        type: "noted",
        note: { severity, text, of, ...(typeof sentence === "string" ? {} : { sentence }) },
      });
    },
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}
