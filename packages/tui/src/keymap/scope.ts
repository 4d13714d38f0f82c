import type { InputEvent } from "../input/index.ts";

/**
 * Anything that can have the keyboard: a dialog, an overlay, the completion menu, a screen, the input. False: the event
 * means nothing here, and the next scope is asked.
 */
export type KeyScope = (event: InputEvent) => boolean;

/** The keys of a component, which refers to them by name when it is mounted. */
export type NamedScope = {
  readonly take?: KeyScope;
  /** Asked before all other keys, including those of the window. */
  readonly capture?: KeyScope;
};

/** Offers an event to the scopes in order until one takes it. */
export function takenBy(scopes: readonly KeyScope[], event: InputEvent): boolean {
  return scopes.some((take) => take(event));
}
