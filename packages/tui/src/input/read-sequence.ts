import { eventOfSequence, keyOfShift3, parseSequence } from "./control-sequence.ts";
import type { InputEvent } from "./input-event.ts";
import { key, keyOfCharacter, letterKeys, NO_MODIFIERS, tildeKeys } from "./key-codes.ts";

const ALT = { ...NO_MODIFIERS, alt: true };
/** The longest sequence to wait for. */
export const MAX_SEQUENCE = 4096;
/** The longest reply that is a string, such as a piece of a clipboard. */
const MAX_STRING = 16 * 1024;

/** The event at a position, if any, and where to continue; undefined: more bytes are needed. */
export type ParseResult = { next: number; event?: InputEvent | undefined } | undefined;

/** `shift` corrects offsets if the data was rewritten (an 8-bit CSI). */
export function readSequence(data: string, at: number, { alt, shift }: { alt: boolean; shift: number }): ParseResult {
  // The Linux console sends F1–F5 as ESC [ [ A…E.
  if (data[at + 2] === "[") {
    const letter = data[at + 3];
    if (letter === undefined) return undefined;
    const index = "ABCDE".indexOf(letter);
    return { next: at + 4 + shift, event: index < 0 ? undefined : key(`f${index + 1}`, "", { ...NO_MODIFIERS, alt }) };
  }
  // The old mouse report: three bytes that would look like typed text.
  if (data[at + 2] === "M") return data.length < at + 6 ? undefined : { next: at + 6 + shift };
  // rxvt: Shift with an editing key ends in `$`, which does not end a sequence elsewhere.
  const rxvt = /^([235678])\$/.exec(data.slice(at + 2, at + 4));
  if (rxvt) {
    return {
      next: at + 4 + shift,
      event: key(tildeKeys[Number(rxvt[1])] ?? "", "", { ...NO_MODIFIERS, alt, shift: true }),
    };
  }
  let end = at + 2;
  while (end < data.length && data.charCodeAt(end) >= 0x20 && data.charCodeAt(end) < 0x40) end += 1;
  if (end - at > MAX_SEQUENCE) return { next: end + shift };
  if (end >= data.length) return undefined;
  const sequence = parseSequence(data.slice(at, end + 1));
  // ESC [ without a valid sequence after it: the key was Alt+[.
  if (!sequence)
    return end === at + 2 ? { next: at + 2 + shift, event: keyOfCharacter("[", ALT) } : { next: end + shift };
  return { next: end + 1 + shift, event: eventOfSequence(sequence, { alt }) };
}

export function readShift3(data: string, at: number, { alt }: { alt: boolean }): ParseResult {
  const match = /^\d*(?:;\d*)?/.exec(data.slice(at + 2, at + 8));
  const parameters = match?.[0] ?? "";
  const end = at + 2 + parameters.length;
  const final = data[end];
  if (final === undefined) return undefined;
  if (!/[@-~]/.test(final) || (parameters !== "" && letterKeys[final] === undefined)) {
    return { next: at + 2, event: keyOfCharacter("O", ALT) };
  }
  const event = keyOfShift3(parameters, final);
  return { next: end + 1, event: event && alt ? { ...event, alt: true, text: "" } : event };
}

/** Whether ESC with this letter starts a string of the terminal, and is not Alt with the letter. */
export function isStringReply(data: string, at: number): boolean {
  const third = data[at + 2] ?? "";
  return data[at + 1] === "]" ? /\d/.test(third) : /[0-9>!+$|=G]/.test(third);
}

export function readString(data: string, at: number): ParseResult {
  for (let end = at + 2; end < data.length && end - at < MAX_STRING; end++) {
    const code = data.charCodeAt(end);
    if (code === 0x07 || code === 0x9c) return stringReply(data, at, end + 1);
    if (code === 0x1b && data[end + 1] === undefined) return undefined;
    if (code === 0x1b && data[end + 1] === "\\") return stringReply(data, at, end + 2);
    // A control character cancels a string (ECMA-48, 8.3.6): its end was lost, and this is a key.
    if (code < 0x20) return { next: end };
  }
  return data.length - at >= MAX_STRING ? { next: data.length } : undefined;
}

function stringReply(data: string, at: number, end: number): ParseResult {
  return { next: end, event: { type: "reply", kind: "other", text: data.slice(at, end) } };
}
