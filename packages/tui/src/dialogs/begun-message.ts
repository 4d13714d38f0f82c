import type { InputEvent } from "../input/index.ts";
import { inputKeys } from "../keymap/shared-keys.ts";
import { withBuffer } from "../state/composer.ts";
import type { BegunAnswer } from "../state/dialogs.ts";
import type { Store } from "../state/store.ts";
import { vimStart } from "../state/vim-state.ts";

/** The text that an event types; undefined: none. Keys with Ctrl or Alt are shortcuts. */
export function typedText(event: InputEvent): string | undefined {
  if (event.type === "paste") return event.text === "" ? undefined : event.text;
  if (event.type !== "key" || event.ctrl || event.alt || event.meta || event.text === "") return undefined;
  return event.text;
}

/**
 * True if an event is part of a message instead of an answer: text that is not an answer, or a second character. A
 * blank begins nothing. `isAnswer`: whether a text by itself is an answer (`30` may be one after `3`).
 */
export function isMessage(
  event: InputEvent,
  begun: BegunAnswer | undefined,
  isAnswer: (text: string) => boolean,
): boolean {
  const text = typedText(event);
  if (text === undefined) return begun !== undefined && inputKeys.idOf(event) === "newline";
  if (!begun && text.trim() === "") return false;
  return event.type === "paste" || !isAnswer(`${begun?.text ?? ""}${text}`);
}

/**
 * Moves the character that had marked an answer into the input, where the following text goes as well. True: the event
 * was moved too; false: the input must handle it.
 */
export function moveToInput(store: Store, begun: BegunAnswer | undefined, event: InputEvent): boolean {
  const { composer } = store.get();
  // In the empty input it would open the list of keys.
  const opensKeys = !begun && composer.buffer.isEmpty && inputKeys.idOf(event) === "keySheet";
  const text = opensKeys ? typedText(event) : begun && `${begun.opener ?? ""}${begun.text}`;
  store.set({ find: undefined });
  if (text === undefined) return false;
  // In vim's normal mode the rest of the word would be commands.
  const vim = composer.vim && { ...vimStart, register: composer.vim.register, repeat: composer.vim.repeat };
  store.set({ composer: { ...withBuffer(composer, composer.buffer.insert(text)), vim } });
  return opensKeys;
}
