import type { KeyEvent } from "./input-event.ts";

/** Final letters of CSI and SS3 sequences: xterm's cursor keys and F1–F4. */
export const letterKeys: Readonly<Record<string, string>> = {
  A: "up",
  B: "down",
  C: "right",
  D: "left",
  E: "begin",
  F: "end",
  H: "home",
  P: "f1",
  Q: "f2",
  R: "f3",
  S: "f4",
};

/** `CSI n ~`: the VT220 editing keys, as xterm, rxvt, the Linux console and tmux send them. */
export const tildeKeys: Readonly<Record<number, string>> = {
  1: "home",
  2: "insert",
  3: "delete",
  4: "end",
  5: "pageup",
  6: "pagedown",
  7: "home",
  8: "end",
  11: "f1",
  12: "f2",
  13: "f3",
  14: "f4",
  15: "f5",
  17: "f6",
  18: "f7",
  19: "f8",
  20: "f9",
  21: "f10",
  23: "f11",
  24: "f12",
  25: "f13",
  26: "f14",
  28: "f15",
  29: "f16",
  31: "f17",
  32: "f18",
  33: "f19",
  34: "f20",
};

/** `SS3 x` of the application keypad. */
export const keypadKeys: Readonly<Record<string, string>> = {
  M: "enter",
  I: "tab",
  X: "=",
  j: "*",
  k: "+",
  l: ",",
  m: "-",
  n: ".",
  o: "/",
  p: "0",
  q: "1",
  r: "2",
  s: "3",
  t: "4",
  u: "5",
  v: "6",
  w: "7",
  x: "8",
  y: "9",
};

const namedCodes: Readonly<Record<number, string>> = {
  8: "backspace",
  9: "tab",
  13: "enter",
  27: "escape",
  32: "space",
  127: "backspace",
};
/** kitty's private-use codes of the keypad, 57399 onwards; then its cursor keys from 57417. */
const keypadText = "0123456789./*-+";
const keypadMoves = ["left", "right", "up", "down", "pageup", "pagedown", "home", "end", "insert", "delete", "begin"];

/** Name and text of a code point that a key sequence carries; undefined for keys that mean nothing here (Caps Lock …). */
export function keyOfCode(code: number): { name: string; text: string } | undefined {
  const named = namedCodes[code];
  if (named) return { name: named, text: named === "space" ? " " : "" };
  if (code < 32 || (code > 127 && code < 160) || code > 0x10ffff) return undefined;
  if (code >= 57344 && code <= 63743) return kittyKey(code);
  const text = String.fromCodePoint(code);
  return { name: text.toLowerCase(), text };
}

function kittyKey(code: number): { name: string; text: string } | undefined {
  if (code >= 57376 && code <= 57387) return { name: `f${code - 57376 + 13}`, text: "" };
  if (code >= 57399 && code <= 57413) {
    const text = keypadText[code - 57399] ?? "";
    return { name: text, text };
  }
  if (code === 57414) return { name: "enter", text: "" };
  if (code === 57415) return { name: "=", text: "=" };
  const move = keypadMoves[code - 57417];
  return move ? { name: move, text: "" } : undefined;
}

export type Modifiers = { ctrl: boolean; alt: boolean; shift: boolean; meta: boolean };

/** The parameter of xterm and kitty: 1 + bits for shift, alt, ctrl, super; kitty adds hyper, meta and the locks. */
export function modifiersOf(parameter: number): Modifiers {
  const bits = Math.max(0, parameter - 1);
  return { shift: (bits & 1) !== 0, alt: (bits & 2) !== 0, ctrl: (bits & 4) !== 0, meta: (bits & 0b111000) !== 0 };
}

export const NO_MODIFIERS: Modifiers = modifiersOf(1);

export function key(name: string, text: string, { ctrl, alt, shift, meta }: Modifiers): KeyEvent {
  return { type: "key", name, text: ctrl || alt || meta ? "" : text, ctrl, alt, shift, meta };
}

/** A plain character as a terminal without key protocols sends it: controls are Ctrl with a letter. */
export function keyOfCharacter(character: string, { alt } = NO_MODIFIERS): KeyEvent {
  const code = character.codePointAt(0) ?? 0;
  const modifiers = { ...NO_MODIFIERS, alt };
  if (code === 0) return key("space", "", { ...modifiers, ctrl: true });
  if (code === 10) return key("j", "", { ...modifiers, ctrl: true });
  const named = namedCodes[code];
  if (named) return key(named, named === "space" ? " " : "", modifiers);
  if (code < 27) return key(String.fromCharCode(code + 96), "", { ...modifiers, ctrl: true });
  if (code < 32) return key(String.fromCharCode(code + 64), "", { ...modifiers, ctrl: true });
  const name = character.toLowerCase();
  return key(name, character, { ...modifiers, shift: name !== character });
}
