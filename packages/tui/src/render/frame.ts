import type { Row } from "../text/style.ts";

/** Position of the terminal cursor (0-based), for input methods and screen readers; undefined hides it. */
export type Cursor = { readonly x: number; readonly y: number };

/**
 * The whole screen, top to bottom, or the rows of an inline window. `above`: rows that such a window adds once to the
 * terminal's scrollback.
 */
export type Frame = {
  readonly rows: readonly Row[];
  readonly cursor?: Cursor | undefined;
  readonly above?: readonly Row[];
  /** Called once the terminal has accepted the frame; never for a skipped one. */
  readonly taken?: () => void;
};
