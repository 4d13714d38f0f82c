import type { InputKeyId } from "../keymap/shared-keys.ts";
import { browsed, type ComposerState, deletedBack, withBuffer } from "../state/composer.ts";
import { killed, stashed, yanked } from "../state/removed-text.ts";

type Edit = (composer: ComposerState, width: number) => ComposerState;
type Motion = (buffer: ComposerState["buffer"]) => ComposerState["buffer"];

const move =
  (motion: Motion): Edit =>
  (composer) =>
    withBuffer(composer, motion(composer.buffer));

const kill =
  (motion: Motion): Edit =>
  (composer) =>
    killed(composer, motion(composer.buffer));

function vertical(by: -1 | 1): Edit {
  return (composer, width) => {
    const next = by < 0 ? composer.buffer.up(width) : composer.buffer.down(width);
    return next ? withBuffer(composer, next) : browsed(composer, by);
  };
}

/** Edits by key of the input; sending and completing are not edits. */
export const composerEdits: Partial<Record<InputKeyId, Edit>> = {
  newline: move((buffer) => buffer.insert("\n")),
  deleteBack: deletedBack,
  deleteForward: move((buffer) => buffer.deleteForward()),
  deleteWordBack: kill((buffer) => buffer.deleteWordBack()),
  deleteWordForward: kill((buffer) => buffer.deleteWordForward()),
  deleteToLineStart: kill((buffer) => buffer.deleteToLineStart()),
  deleteToLineEnd: kill((buffer) => buffer.deleteToLineEnd()),
  left: move((buffer) => buffer.left()),
  right: move((buffer) => buffer.right()),
  wordLeft: move((buffer) => buffer.wordLeft()),
  wordRight: move((buffer) => buffer.wordRight()),
  lineStart: move((buffer) => buffer.lineStart()),
  lineEnd: move((buffer) => buffer.lineEnd()),
  yank: yanked,
  stash: stashed,
  undo: move((buffer) => buffer.undo()),
  redo: move((buffer) => buffer.redo()),
  up: vertical(-1),
  down: vertical(1),
  historyBack: (composer) => browsed(composer, -1),
  historyForward: (composer) => browsed(composer, 1),
};
