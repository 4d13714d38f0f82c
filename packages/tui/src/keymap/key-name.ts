import type { KeyEvent } from "../input/index.ts";

/** `ctrl+shift+z`: a pressed key as written in a key table. */
export function keyName(event: KeyEvent): string {
  const { ctrl, alt, shift, meta, name, text } = event;
  // Shift is part of a character, not a modifier of it: "?" and "A" have none.
  const shifted = shift && (ctrl || alt || meta || text === "");
  return `${ctrl ? "ctrl+" : ""}${alt ? "alt+" : ""}${shifted ? "shift+" : ""}${meta ? "meta+" : ""}${name}`;
}

const shortNames: Readonly<Record<string, string>> = {
  escape: "Esc",
  delete: "Del",
  insert: "Ins",
  pageup: "PgUp",
  pagedown: "PgDn",
};
const arrows: Readonly<Record<string, string>> = { up: "↑", down: "↓", left: "←", right: "→" };

/** `ctrl+shift+z` as people write it: `Ctrl+Shift+Z`; for a chord both keys. */
export function keyLabel(key: string): string {
  return key.split(" ").map(strokeLabel).join(" ");
}

function strokeLabel(key: string): string {
  return key
    .split("+")
    .map((part) => shortNames[part] ?? part.slice(0, 1).toUpperCase() + part.slice(1))
    .join("+");
}

/** The label inside a sentence: arrows become signs, and letters are lower case, as typed. */
export function keySign(key: string): string {
  return arrows[key] ?? ([...key].length === 1 ? key : keyLabel(key));
}
