import { themeNames } from "@harness/protocol/choices";
import { overlayState } from "../../state/overlay-state.ts";
import type { DrawingCode } from "../../text/markdown/drawing-code.ts";

/** The list of themes; the window shows the marked one until the list is closed. */
export type ThemePicker = {
  readonly kind: "themes";
  readonly selected: number;
  /** The theme in use when the list was opened. */
  readonly before: string;
  /** Draws the sample. */
  readonly code: DrawingCode;
  /** Incremented when the sample can be drawn better. */
  readonly generation: number;
};

export const themePicker = overlayState<ThemePicker>("themes");

/** The theme that is being tried; undefined while the list is closed. */
export function previewedTheme(state: Parameters<typeof themePicker.of>[0]): string | undefined {
  const picker = themePicker.of(state);
  return picker && themeNames[picker.selected];
}
