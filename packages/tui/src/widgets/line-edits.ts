import type { InputEvent, TextBuffer } from "../input/index.ts";
import { type InputKeyId, inputKeys } from "../keymap/shared-keys.ts";
import { joinIntoLine } from "../text/index.ts";

type Motion = (buffer: TextBuffer) => TextBuffer;

const motions: Partial<Record<InputKeyId, Motion>> = {
  deleteBack: (buffer) => buffer.deleteBack(),
  deleteForward: (buffer) => buffer.deleteForward(),
  deleteWordBack: (buffer) => buffer.deleteWordBack(),
  deleteWordForward: (buffer) => buffer.deleteWordForward(),
  deleteToLineStart: (buffer) => buffer.deleteToLineStart(),
  deleteToLineEnd: (buffer) => buffer.deleteToLineEnd(),
  left: (buffer) => buffer.left(),
  right: (buffer) => buffer.right(),
  wordLeft: (buffer) => buffer.wordLeft(),
  wordRight: (buffer) => buffer.wordRight(),
  lineStart: (buffer) => buffer.lineStart(),
  lineEnd: (buffer) => buffer.lineEnd(),
};

/** A one-line field after a key or a paste; undefined if the field ignores the event. */
export function lineEdited(buffer: TextBuffer, event: InputEvent): TextBuffer | undefined {
  if (event.type === "paste") return buffer.insert(joinIntoLine(event.text).replaceAll("\t", " "));
  if (event.type !== "key") return undefined;
  if (event.text !== "") return buffer.insert(event.text);
  const id = inputKeys.idOf(event);
  return id && motions[id]?.(buffer);
}
