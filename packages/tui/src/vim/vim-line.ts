import type { InputEvent, TextBuffer } from "../input/index.ts";
import { type ComposerState, emptyComposer } from "../state/composer.ts";
import { type VimState, vimStart } from "../state/vim-state.ts";
import { vimEscape, vimKey } from "./vim-key.ts";

/** A line outside of the composer, and where its next vim key goes. */
export type VimLine = { readonly buffer: TextBuffer; readonly vim: VimState | undefined };

/** The line after a key of vim's normal mode; undefined: the key keeps its usual meaning. */
export function vimLineKey(line: VimLine, event: InputEvent): VimLine | undefined {
  if (event.type !== "key") return undefined;
  const next = vimKey(asComposer(line), event);
  if (!next) return undefined;
  const { buffer, vim = vimStart } = next;
  // There is no place for another line: `o` and `O` do nothing.
  if (buffer.lineCount > 1) return { buffer: line.buffer, vim: { ...vimStart, ...line.vim, pending: "" } };
  return { buffer, vim: { ...vim, register: { ...vim.register, isLines: false } } };
}

/**
 * Escape: leaves insert mode, or drops an incomplete command. Undefined in normal mode and in an empty line, where it
 * keeps its usual meaning.
 */
export function vimLineEscape(line: VimLine): VimLine | undefined {
  const next = line.buffer.isEmpty ? undefined : vimEscape(asComposer(line));
  return next && { buffer: next.buffer, vim: next.vim };
}

function asComposer({ buffer, vim }: VimLine): ComposerState {
  return { ...emptyComposer, buffer, vim };
}
