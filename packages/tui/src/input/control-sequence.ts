import type { InputEvent, KeyEvent } from "./input-event.ts";
import {
  key,
  keyOfCharacter,
  keyOfCode,
  keypadKeys,
  letterKeys,
  type Modifiers,
  modifiersOf,
  NO_MODIFIERS,
  tildeKeys,
} from "./key-codes.ts";

/** A complete control sequence: `CSI prefix parameters intermediates final`. */
export type ControlSequence = {
  /** One of < = > ? or "". */
  prefix: string;
  /** Between prefix and intermediates: numbers separated by `;`, sub-numbers by `:`. */
  parameters: string;
  intermediates: string;
  final: string;
  /** The bytes as received, for replies. */
  whole: string;
};

/** The text after `ESC [`. */
const SEQUENCE = /^([<=>?]?)([0-9;:]*)([ -/]*)([@-~])$/;

export function parseSequence(whole: string): ControlSequence | undefined {
  const [, prefix = "", parameters = "", intermediates = "", final = ""] = SEQUENCE.exec(whole.slice(2)) ?? [];
  return final === "" ? undefined : { prefix, parameters, intermediates, final, whole };
}

/** The event of a CSI sequence; undefined for unknown ones. `alt`: preceded by an ESC (rxvt). */
export function eventOfSequence(sequence: ControlSequence, { alt }: { alt: boolean }): InputEvent | undefined {
  const { prefix, intermediates } = sequence;
  if (prefix === "<") return mouse(sequence);
  if (prefix !== "" || intermediates !== "") return reply(sequence);
  const event = keyOfSequence(sequence);
  return event?.type === "key" && alt ? { ...event, alt: true, text: "" } : event;
}

function reply({ prefix, final, intermediates, whole }: ControlSequence): InputEvent {
  const kind =
    final === "c"
      ? "attributes"
      : final === "u" && prefix === "?"
        ? "keyboard"
        : intermediates === "$"
          ? "mode"
          : "other";
  return { type: "reply", kind, text: whole };
}

/** SGR mouse (1006): the wheel, and the left button pressed, dragged and released. */
function mouse({ parameters, final }: ControlSequence): InputEvent | undefined {
  const [button = 0, column = 1, line = 1] = numbersOf(parameters);
  const [x, y] = [column - 1, line - 1];
  // Bits 2–4 are Shift, Alt and Ctrl; 64 and 65 are the wheel up and down, 66 and 67 sideways; 32 is a move.
  const plain = button & ~0b11100;
  if (final === "m") return plain === 0 ? { type: "mouse", action: "release", x, y } : undefined;
  if (plain === 64 || plain === 65) return { type: "wheel", direction: plain === 64 ? -1 : 1, x, y };
  if (plain === 0 || plain === 32) return { type: "mouse", action: plain === 0 ? "press" : "drag", x, y };
  return undefined;
}

/** A missing number is 1 (xterm's default for modifiers) except the first, which is 0. */
function numbersOf(parameters: string): number[] {
  return parameters.split(";").map((part, index) => (part === "" ? Math.min(1, index) : Number.parseInt(part, 10)));
}

function keyOfSequence(sequence: ControlSequence): InputEvent | undefined {
  const { parameters, final, whole } = sequence;
  const numbers = numbersOf(parameters);
  const [first = 0, second = 1, third = 0] = numbers;
  if (final === "u") return kittyKey(parameters);
  if (final === "~")
    return first === 27 ? characterKey(third, modifiersOf(second)) : namedKey(tildeKeys[first], second, parameters);
  // rxvt marks modifiers in the final character.
  if (final === "^") return withModifiers(tildeKeys[first], { ...NO_MODIFIERS, ctrl: true });
  if (final === "@") return withModifiers(tildeKeys[first], { ...NO_MODIFIERS, ctrl: true, shift: true });
  if (parameters === "" && /[a-d]/.test(final)) {
    return withModifiers(letterKeys[final.toUpperCase()], { ...NO_MODIFIERS, shift: true });
  }
  if (parameters === "" && (final === "I" || final === "O")) return { type: "focus", focused: final === "I" };
  if (final === "Z") return key("tab", "", { ...NO_MODIFIERS, shift: true });
  if (final === "R" && parameters !== "" && first !== 1) return { type: "reply", kind: "cursor", text: whole };
  if (final === "n" || final === "t" || final === "c") return { type: "reply", kind: "other", text: whole };
  return namedKey(letterKeys[final], second, parameters);
}

function withModifiers(name: string | undefined, modifiers: Modifiers): KeyEvent | undefined {
  return name === undefined ? undefined : key(name, "", modifiers);
}

/** kitty writes the event type after a colon in the modifiers; 3 is a key release. */
function isRelease(parameters: string): boolean {
  return parameters.split(";")[1]?.split(":")[1] === "3";
}

function namedKey(name: string | undefined, modifiers: number, parameters: string): KeyEvent | undefined {
  return isRelease(parameters) ? undefined : withModifiers(name, modifiersOf(modifiers));
}

function characterKey(code: number, modifiers: Modifiers): KeyEvent | undefined {
  const known = keyOfCode(code);
  if (!known) return undefined;
  const { name, text } = known;
  const shifted = modifiers.shift && text.length === 1 ? text.toUpperCase() : text;
  return key(name, shifted, { ...modifiers, shift: modifiers.shift || text !== text.toLowerCase() });
}

/** `CSI code:shifted:base ; modifiers:event ; text u` of the kitty keyboard protocol. */
function kittyKey(parameters: string): KeyEvent | undefined {
  if (isRelease(parameters)) return undefined;
  const [codes = "", modifierField = "", textField = ""] = parameters.split(";");
  const [code = 0, shifted = 0, base = 0] = codes.split(":").map((each) => Number.parseInt(each, 10) || 0);
  const modifiers = modifiersOf(Number.parseInt(modifierField, 10) || 1);
  // On a Cyrillic or Greek keyboard, Ctrl with the key at the position of C must be Ctrl+C.
  const commanding = modifiers.ctrl || modifiers.alt || modifiers.meta;
  const event = characterKey(commanding && code > 127 && base > 0 ? base : code, modifiers);
  const text = textOf(textField);
  // AltGr types a character, though a terminal reports it as Alt or Ctrl+Alt.
  if (commanding && text !== "" && ![code, shifted, base].includes(text.codePointAt(0) ?? 0))
    return keyOfCharacter(text);
  if (!event || commanding || event.text === "") return event;
  if (text !== "") return { ...event, text };
  return modifiers.shift && shifted >= 32 && shifted <= 0x10ffff
    ? { ...event, text: String.fromCodePoint(shifted) }
    : event;
}

/** The characters that a key types, from their code points. */
function textOf(field: string): string {
  const codes = field
    .split(":")
    .map((each) => Number.parseInt(each, 10))
    .filter((each) => each >= 32 && each <= 0x10ffff && !(each >= 127 && each < 160));
  return String.fromCodePoint(...codes);
}

/** The key for `ESC O …`: cursor keys, F1–F4 and the keypad; digits before the letter are modifiers. */
export function keyOfShift3(parameters: string, final: string): KeyEvent | undefined {
  const modifiers = modifiersOf(Number.parseInt(parameters.split(";").at(-1) ?? "", 10) || 1);
  if (/[a-d]/.test(final)) return withModifiers(letterKeys[final.toUpperCase()], { ...modifiers, ctrl: true });
  const name = letterKeys[final];
  if (name) return key(name, "", modifiers);
  const keypad = keypadKeys[final];
  return keypad ? key(keypad, keypad.length === 1 ? keypad : "", modifiers) : undefined;
}
