import type { KeyEvent } from "./input-event.ts";

/** The old xterm sequences: the form of a key that every reader of terminals knows. */
const finals: Record<string, string> = { up: "A", down: "B", right: "C", left: "D", home: "H", end: "F" };
const numbers: Record<string, number> = { insert: 2, delete: 3, pageup: 5, pagedown: 6 };
const plain: Record<string, string> = { enter: "\r", tab: "\t", escape: "\u001b", backspace: "\u007f", space: " " };

/** A key as bytes that Ink's own `useInput` understands, for components based on it; "" where there are none. */
export function inkSequence(key: KeyEvent): string {
  const modifier = 1 + (key.shift ? 1 : 0) + (key.alt ? 2 : 0) + (key.ctrl ? 4 : 0);
  const final = finals[key.name];
  if (final) return modifier === 1 ? `\u001b[${final}` : `\u001b[1;${modifier}${final}`;
  const number = numbers[key.name];
  if (number) return modifier === 1 ? `\u001b[${number}~` : `\u001b[${number};${modifier}~`;
  if (key.name === "tab" && key.shift) return "\u001b[Z";
  const lead = key.alt ? "\u001b" : "";
  if (key.ctrl && /^[a-z]$/.test(key.name)) return lead + String.fromCharCode(key.name.charCodeAt(0) - 96);
  // With a modifier a key types nothing, but Ink needs its character to recognise it.
  const character = isCharacter(key.name) ? (key.shift ? key.name.toUpperCase() : key.name) : "";
  return lead + (plain[key.name] ?? (key.text || character));
}

function isCharacter(name: string): boolean {
  return name.length === 1 || (name.length === 2 && (name.codePointAt(0) ?? 0) > 0xffff);
}
