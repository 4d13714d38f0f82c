import type { AppState } from "./app-state.ts";
import { type AppEvent, reduce } from "./reduce.ts";

export type Store = {
  readonly get: () => AppState;
  readonly dispatch: (event: AppEvent) => void;
  /** Called after each change, with nothing; returns the way to stop it. */
  readonly subscribe: (listener: () => void) => () => void;
};

export function createStore(initial: AppState): Store {
  let state = initial;
  const listeners = new Set<() => void>();
  return {
    get: () => state,
    dispatch(event) {
      const next = reduce(state, event);
      if (next === state) return;
      state = next;
      for (const listener of listeners) listener();
    },
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}
