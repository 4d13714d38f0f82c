import type { Row } from "../text/style.ts";

/** Position of the terminal's own cursor (0-based), for input methods and screen readers; undefined hides it. */
export type Cursor = { readonly x: number; readonly y: number };

/**
 * The whole screen, top to bottom; of an inline window its own rows. `above`: rows that such a window adds to what the
 * terminal keeps, once.
 */
export type Frame = {
  readonly rows: readonly Row[];
  readonly cursor?: Cursor | undefined;
  readonly above?: readonly Row[];
  /** Called once the terminal has taken the frame; never for one that was skipped. */
  readonly taken?: () => void;
};
