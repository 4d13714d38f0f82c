import type { TextBuffer } from "../input/index.ts";
import { type ComposerState, emptied, messageOf, pasteText, withBuffer, withText } from "./composer.ts";
import { expandChips, wholeChips } from "./paste-chips.ts";

/**
 * The composer after a deletion whose text can be put back (`yanked`); consecutive deletions are one text, as in a
 * shell.
 */
export function killed(composer: ComposerState, next: TextBuffer): ComposerState {
  const { buffer, chips, killed: before } = composer;
  if (next === buffer) return composer;
  const part = wholeChips(buffer.text, chips, removedPart(buffer, next));
  const removed = expandChips(buffer.text.slice(part.from, part.to), chips);
  const left = buffer.replace(part.from, part.to, "");
  const isBackward = next.offset < buffer.offset;
  const rest = before?.after === buffer ? before.text : "";
  const text = isBackward ? removed + rest : rest + removed;
  return { ...withBuffer(composer, left), killed: { text, after: left } };
}

/** Inserts the last deleted text at the cursor. */
export function yanked(composer: ComposerState): ComposerState {
  return composer.killed ? pasteText(composer, composer.killed.text) : composer;
}

/** The part of the text that was removed. */
function removedPart(before: TextBuffer, after: TextBuffer): { from: number; to: number } {
  const from = Math.min(before.offset, after.offset);
  return { from, to: from + before.text.length - after.text.length };
}

/** Stashes the typed text; with an empty input, restores the text stashed last. */
export function stashed(composer: ComposerState): ComposerState {
  const { buffer, stashed: waiting } = composer;
  if (!buffer.isEmpty) return { ...emptied(composer), stashed: [...waiting, messageOf(composer)] };
  const last = waiting.at(-1);
  return last === undefined ? composer : { ...withText(composer, last), stashed: waiting.slice(0, -1) };
}
