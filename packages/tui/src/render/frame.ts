import type { Row } from "../text/style.ts";

/** Position of the terminal's own cursor (0-based), for input methods and screen readers; undefined hides it. */
export type Cursor = { readonly x: number; readonly y: number };

/** The whole screen, top to bottom. */
export type Frame = { readonly rows: readonly Row[]; readonly cursor?: Cursor | undefined };
