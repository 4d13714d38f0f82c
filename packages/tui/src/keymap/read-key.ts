const names = new Set(
  "space enter tab escape backspace delete insert up down left right home end pageup pagedown".split(" "),
);
const otherNames: Readonly<Record<string, string>> = {
  esc: "escape",
  return: "enter",
  del: "delete",
  ins: "insert",
  pgup: "pageup",
  pgdn: "pagedown",
  pgdown: "pagedown",
  bs: "backspace",
  " ": "space",
};
const modifiers = ["ctrl", "alt", "shift", "meta"] as const;
const otherModifiers: Readonly<Record<string, (typeof modifiers)[number]>> = {
  control: "ctrl",
  option: "alt",
  opt: "alt",
  cmd: "meta",
  command: "meta",
  super: "meta",
};

/** Terminals send the same bytes for these keys as for another key. */
const sameAs: Readonly<Record<string, string>> = {
  "ctrl+h": "Backspace",
  "ctrl+i": "Tab",
  "ctrl+m": "Enter",
  "ctrl+[": "Escape",
};

export type ReadKey = { readonly key: string } | { readonly problem: string };

/**
 * Parses a key as the user writes it ("Ctrl+X A", "esc") into the form of a key table, or says why there is no such
 * key.
 */
export function readKey(written: string): ReadKey {
  const strokes = written.trim().split(/\s+/).map(readStroke);
  const bad = strokes.find((stroke) => "problem" in stroke);
  if (bad) return bad;
  const [first = "", second, ...more] = strokes.map((stroke) => ("key" in stroke ? stroke.key : ""));
  if (more.length > 0) return { problem: `${JSON.stringify(written)} has more than two keys in sequence.` };
  if (second === undefined) return { key: first };
  if (isTyped(first)) return { problem: `${JSON.stringify(written)} begins with a key that types a character.` };
  return { key: `${first} ${second.replace(/^ctrl\+(?=[a-z]$)/, "")}` };
}

/** True if the key types a character. */
export function isTyped(key: string): boolean {
  return [...key].length === 1 || key === "space";
}

function readStroke(written: string): ReadKey {
  const unknown = { problem: `There is no key ${JSON.stringify(written)}.` };
  // The last "+" may be the key itself.
  const parts = written.toLowerCase().split(/\+(?!$)/);
  const last = parts.pop() ?? "";
  const held = parts.map((part) => otherModifiers[part] ?? part);
  if (held.some((part) => !modifiers.some((modifier) => modifier === part))) return unknown;
  const name = otherNames[last] ?? last;
  if (!names.has(name) && !/^f([1-9]|1\d|2[0-4])$/.test(name) && [...name].length !== 1) return unknown;
  // Shift is part of a character, unless another modifier is held as well.
  const isPlain = [...name].length === 1 && held.every((part) => part === "shift");
  const prefix = modifiers.filter((modifier) => held.includes(modifier) && !(isPlain && modifier === "shift"));
  const key = [...prefix, name].join("+");
  const same = sameAs[key];
  return same ? { problem: `${JSON.stringify(written)} cannot be distinguished from ${same} in a terminal.` } : { key };
}
