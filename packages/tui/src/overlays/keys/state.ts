import type { Keymap } from "../../keymap/keymap.ts";
import { overlayState } from "../../state/overlay-state.ts";

/**
 * All keys. `pressing`: the next key is for this action; `first`: a chord may begin with this key. `message`: the outcome
 * of the last change.
 */
export type KeyList = {
  readonly kind: "keys";
  readonly keymap: Keymap;
  /** Problems with the user's key file. */
  readonly problems: readonly string[];
  readonly filter: string;
  readonly selected: number;
  readonly pressing: { readonly action: string; readonly adds: boolean; readonly first?: string } | undefined;
  readonly message: string | undefined;
};

export const keyList = overlayState<KeyList>("keys");
