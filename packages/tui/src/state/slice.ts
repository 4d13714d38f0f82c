import type { AppState } from "./app-state.ts";
import type { Store } from "./store.ts";

/** The state of one screen. The store keeps it under the screen's name and knows nothing else about it. */
export type Slice<S extends object> = {
  of(state: Pick<AppState, "slices">): S;
  change(store: Store, changes: Partial<S>): void;
};

/** `settle` corrects what a change leaves behind, such as a marked row that no longer exists. */
export function slice<S extends object>(name: string, initial: S, settle = (state: S): S => state): Slice<S> {
  // Only this slice writes under its name.
  const of = ({ slices }: Pick<AppState, "slices">): S => (slices[name] as S | undefined) ?? initial;
  return {
    of,
    change: (store, changes) =>
      store.dispatch({ type: "sliceChanged", name, slice: settle({ ...of(store.get()), ...changes }) }),
  };
}
