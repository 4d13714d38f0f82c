import type { InputEvent } from "./input-event.ts";
import type { TextBuffer } from "./text-buffer.ts";

/** Edits a plain line outside of the composer. */
export type LineEditor = {
  /** The line after a key or a paste; undefined: the event means nothing to it. */
  edit(line: TextBuffer, event: InputEvent): TextBuffer | undefined;
  /** True if the event is an Escape that only changes the mode of vim's keys: the line stays open as it is. */
  keepsOpen(line: TextBuffer, event: InputEvent): boolean;
};
