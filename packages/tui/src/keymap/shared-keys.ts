import { type KeyTable, keyTable } from "./key-table.ts";

/** Keys of the composer for a message. */
const messageRows = [
  { id: "submit", keys: ["enter"], doc: "Send the message" },
  {
    id: "newline",
    keys: ["shift+enter", "ctrl+enter", "alt+enter", "ctrl+j"],
    doc: "New line; the key that sends makes one too, after \\ and while a ` or ``` is open",
  },
  { id: "historySearch", keys: ["ctrl+r"], doc: "Search all messages sent, from every window and folder" },
  {
    id: "editor",
    keys: ["ctrl+g", "ctrl+x e"],
    doc: "Edit the text in your editor (setting editor, $VISUAL or $EDITOR)",
    hint: "editor",
  },
  { id: "complete", keys: ["tab"], doc: "Complete a command or a file name" },
  { id: "stash", keys: ["ctrl+x s"], doc: "Stash the draft; in the empty input, restore it", hint: "stash" },
  { id: "keySheet", keys: ["?"], doc: "In the empty input: a sheet of keys; /keys lists all, and changes them" },
] as const;

/** Moving in text and changing it, as in a shell. */
const textRows = [
  { id: "deleteBack", keys: ["backspace", "shift+backspace"], doc: "Delete the character before" },
  { id: "deleteForward", keys: ["delete"], doc: "Delete the character after" },
  { id: "deleteWordBack", keys: ["ctrl+w", "alt+backspace", "ctrl+backspace"], doc: "Delete the word before" },
  { id: "deleteWordForward", keys: ["alt+d", "ctrl+delete", "alt+delete"], doc: "Delete the word after" },
  { id: "deleteToLineStart", keys: ["ctrl+u"], doc: "Delete to the start of the line" },
  { id: "deleteToLineEnd", keys: ["ctrl+k"], doc: "Delete to the end of the line" },
  { id: "left", keys: ["left", "ctrl+b"], doc: "One character left" },
  { id: "right", keys: ["right", "ctrl+f"], doc: "One character right" },
  { id: "wordLeft", keys: ["alt+b", "ctrl+left", "alt+left"], doc: "One word left" },
  { id: "wordRight", keys: ["alt+f", "ctrl+right", "alt+right"], doc: "One word right" },
  { id: "lineStart", keys: ["ctrl+a", "home"], doc: "Start of the line" },
  { id: "lineEnd", keys: ["ctrl+e", "end"], doc: "End of the line" },
  { id: "yank", keys: ["ctrl+y"], doc: "Paste the word or line deleted last" },
  // The same key as terminals send it without and with kitty's keyboard protocol.
  { id: "undo", keys: ["ctrl+_", "ctrl+/", "ctrl+shift+-", "alt+u"], doc: "Undo the last edit" },
  { id: "redo", keys: ["ctrl+x r", "ctrl+shift+z", "alt+z"], doc: "Redo", hint: "redo" },
  {
    id: "up",
    keys: ["up"],
    doc: "Row up; at the first row, the previous message sent in this folder",
  },
  { id: "down", keys: ["down"], doc: "Row down; at the last row, the next message" },
  { id: "historyBack", keys: ["ctrl+p"], doc: "Previous message" },
  { id: "historyForward", keys: ["ctrl+n"], doc: "Next message" },
] as const;

/** Keys of the composer; one-line fields have those that move and delete. */
export const inputKeys = keyTable("input", [...messageRows, ...textRows]);
export type InputKeyId = typeof inputKeys extends KeyTable<infer Id> ? Id : never;

/** The two halves of `inputKeys`: lists of keys begin with one and end with the other. */
export const composingKeys = keyTable("input", messageRows);
export const textKeys = keyTable("input", textRows);

export const transcriptKeys = keyTable("transcript", [
  { id: "pageUp", keys: ["pageup"], doc: "Page up" },
  { id: "pageDown", keys: ["pagedown"], doc: "Page down" },
  { id: "scrollUp", keys: ["shift+up"], doc: "Row up (also the wheel)" },
  { id: "scrollDown", keys: ["shift+down"], doc: "Row down (also the wheel)" },
  { id: "scrollToStart", keys: ["ctrl+home"], doc: "The start of the conversation" },
  { id: "scrollToEnd", keys: ["ctrl+end"], doc: "The end, and follow it" },
]);

/** Lists on every screen and overlay. */
export const listKeys = keyTable("lists", [
  { id: "up", keys: ["up", "k", "ctrl+p"], doc: "The row above" },
  { id: "down", keys: ["down", "j", "ctrl+n"], doc: "The row below" },
  { id: "pageUp", keys: ["pageup"], doc: "Ten rows up" },
  { id: "pageDown", keys: ["pagedown"], doc: "Ten rows down" },
  { id: "first", keys: ["home"], doc: "The first row" },
  { id: "last", keys: ["end"], doc: "The last row" },
  { id: "close", keys: ["escape", "q"], doc: "Close" },
]);

export const pictureKeys = keyTable("input", [
  { id: "pasteImage", keys: ["ctrl+v"], doc: "Add the image in the clipboard to the message" },
]);
