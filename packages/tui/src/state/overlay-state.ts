import type { AppState, Overlay } from "./app-state.ts";

/** The state of one overlay while it is in view. */
export type OverlayState<S extends Overlay> = {
  of(state: Pick<AppState, "overlay">): S | undefined;
};

/** `kind`: the name of the overlay in the table. The store knows nothing else about it. */
export function overlayState<S extends Overlay>(kind: S["kind"]): OverlayState<S> {
  // Only the overlay's own folder opens overlays of its kind.
  return { of: ({ overlay }) => (overlay?.kind === kind ? (overlay as S) : undefined) };
}
