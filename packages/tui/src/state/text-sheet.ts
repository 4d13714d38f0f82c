import { overlayState } from "./overlay-state.ts";

/** Scrolls to the end of a sheet, however long it becomes. */
export const SHEET_END = Number.MAX_SAFE_INTEGER;

/** A long answer of a command. `look`: a diff, or passages that were found by these words. */
export type TextSheet = {
  readonly look?: "diff" | { readonly found: readonly string[] } | undefined;
  readonly kind: "text";
  readonly title: string;
  readonly text: string;
  readonly scroll: number;
};

export const textSheet = overlayState<TextSheet>("text");
