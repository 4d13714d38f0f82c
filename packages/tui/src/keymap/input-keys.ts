import type { InputEvent, KeyEvent } from "../input/input-event.ts";

/** Where a key means something; the one who has the keyboard asks for its places in order. */
export type KeyPlace = "composer" | "scroll" | "global";

type BindingRow = {
  readonly id: string;
  readonly where: KeyPlace;
  readonly keys: readonly string[];
  readonly doc: string;
};

/**
 * Every key of the window. A key is written `ctrl+alt+shift+meta+name`, in this order, with the names of `KeyEvent`.
 * Help is made from this table. Ctrl+H, Ctrl+I, Ctrl+M and Ctrl+[ are Backspace, Tab, Enter and Escape on most
 * terminals and cannot be bound.
 */
const table = [
  { id: "submit", where: "composer", keys: ["enter"], doc: "Send the message" },
  {
    id: "newline",
    where: "composer",
    keys: ["shift+enter", "ctrl+enter", "alt+enter", "ctrl+j"],
    doc: "New line (also \\ and then Enter)",
  },
  { id: "deleteBack", where: "composer", keys: ["backspace", "shift+backspace"], doc: "Delete the character before" },
  { id: "deleteForward", where: "composer", keys: ["delete"], doc: "Delete the character after" },
  {
    id: "deleteWordBack",
    where: "composer",
    keys: ["ctrl+w", "alt+backspace", "ctrl+backspace"],
    doc: "Delete the word before",
  },
  {
    id: "deleteWordForward",
    where: "composer",
    keys: ["alt+d", "ctrl+delete", "alt+delete"],
    doc: "Delete the word after",
  },
  { id: "deleteToLineStart", where: "composer", keys: ["ctrl+u"], doc: "Delete to the start of the line" },
  { id: "deleteToLineEnd", where: "composer", keys: ["ctrl+k"], doc: "Delete to the end of the line" },
  { id: "left", where: "composer", keys: ["left", "ctrl+b"], doc: "One character left" },
  { id: "right", where: "composer", keys: ["right", "ctrl+f"], doc: "One character right" },
  { id: "wordLeft", where: "composer", keys: ["alt+b", "ctrl+left", "alt+left"], doc: "One word left" },
  { id: "wordRight", where: "composer", keys: ["alt+f", "ctrl+right", "alt+right"], doc: "One word right" },
  { id: "lineStart", where: "composer", keys: ["ctrl+a", "home"], doc: "Start of the line" },
  { id: "lineEnd", where: "composer", keys: ["ctrl+e", "end"], doc: "End of the line" },
  { id: "undo", where: "composer", keys: ["alt+u", "ctrl+_"], doc: "Undo the last edit" },
  { id: "redo", where: "composer", keys: ["ctrl+shift+z", "alt+z"], doc: "Redo" },
  { id: "up", where: "composer", keys: ["up"], doc: "Row up; at the first row, the message before" },
  { id: "down", where: "composer", keys: ["down"], doc: "Row down; at the last row, the message after" },
  { id: "historyBack", where: "composer", keys: ["ctrl+p"], doc: "The message sent before" },
  { id: "historyForward", where: "composer", keys: ["ctrl+n"], doc: "The message sent after" },
  { id: "historySearch", where: "composer", keys: ["ctrl+r"], doc: "Search the messages sent" },
  { id: "complete", where: "composer", keys: ["tab"], doc: "Complete a command or a file name" },
  { id: "pageUp", where: "scroll", keys: ["pageup"], doc: "A page up" },
  { id: "pageDown", where: "scroll", keys: ["pagedown"], doc: "A page down" },
  { id: "scrollUp", where: "scroll", keys: ["shift+up"], doc: "A row up (also the wheel)" },
  { id: "scrollDown", where: "scroll", keys: ["shift+down"], doc: "A row down (also the wheel)" },
  { id: "scrollToStart", where: "scroll", keys: ["ctrl+home"], doc: "The start of the conversation" },
  { id: "scrollToEnd", where: "scroll", keys: ["ctrl+end"], doc: "The end, and follow it" },
  {
    id: "escape",
    where: "global",
    keys: ["escape"],
    doc: "Close; else stop the turn; else empty the input; else Home",
  },
  { id: "interrupt", where: "global", keys: ["ctrl+c"], doc: "Stop the turn; else empty the input; twice: leave" },
  { id: "leave", where: "global", keys: ["ctrl+d"], doc: "Leave, when the input is empty" },
  { id: "fold", where: "global", keys: ["ctrl+o"], doc: "Open or fold thinking and tool output" },
  { id: "settings", where: "global", keys: ["ctrl+s"], doc: "Settings" },
  { id: "redraw", where: "global", keys: ["ctrl+l"], doc: "Draw the screen anew" },
] as const satisfies readonly BindingRow[];

export type BindingId = (typeof table)[number]["id"];
export type KeyBinding = BindingRow & { readonly id: BindingId };
export const keyBindings: readonly KeyBinding[] = table;

/** `ctrl+shift+z`: how a pressed key is written in the table. */
export function keyName(event: KeyEvent): string {
  const { ctrl, alt, shift, meta, name, text } = event;
  // Shift is part of a character, not a modifier of it: "?" and "A" come without.
  const shifted = shift && (ctrl || alt || meta || text === "");
  return `${ctrl ? "ctrl+" : ""}${alt ? "alt+" : ""}${shifted ? "shift+" : ""}${meta ? "meta+" : ""}${name}`;
}

const byPlace: Record<KeyPlace, Map<string, KeyBinding>> = {
  composer: new Map(),
  scroll: new Map(),
  global: new Map(),
};
for (const binding of keyBindings) for (const key of binding.keys) byPlace[binding.where].set(key, binding);

/** What this key means in the first of the places that knows it. Events that are not keys mean nothing here. */
export function bindingFor(event: InputEvent, places: readonly KeyPlace[]): KeyBinding | undefined {
  if (event.type !== "key") return undefined;
  const name = keyName(event);
  for (const place of places) {
    const binding = byPlace[place].get(name);
    if (binding) return binding;
  }
  return undefined;
}
