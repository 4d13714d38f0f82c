import { sanitise } from "../text/sanitise.ts";
import { graphemes } from "../text/width.ts";
import { eventOfSequence, keyOfShift3, parseSequence } from "./control-sequence.ts";
import type { InputEvent } from "./input-event.ts";
import { key, keyOfCharacter, letterKeys, NO_MODIFIERS, tildeKeys } from "./key-codes.ts";
import { PasteDetector } from "./paste-detector.ts";

/** `set` calls back once after `ms` milliseconds unless the handle was cleared. */
export type Timer = { set(ms: number, expired: () => void): unknown; clear(handle: unknown): void };

export type InputParserOptions = {
  onEvent: (event: InputEvent) => void;
  timer?: Timer;
  /** The longest paste, in UTF-16 units; the rest is dropped and the event says so. */
  maxPaste?: number;
};

const ALT = { ...NO_MODIFIERS, alt: true };
const ESC = "\u001b";
const JOINERS = "\u200c\u200d";
const PASTE_START = "\u001b[200~";
const PASTE_END = "\u001b[201~";
/** A lone ESC is the Escape key if nothing follows within this time. */
const ESCAPE_MS = 50;
/** A paste whose end was lost must not block the keyboard forever. */
const PASTE_MS = 3000;
/** Text that follows an Enter within this time was not typed by hand. */
const BURST_MS = 30;
/** The longest sequence to wait for. */
const MAX_SEQUENCE = 4096;
/** The longest reply that is a string, such as a piece of a clipboard. */
const MAX_STRING = 16 * 1024;
/** Text faster than typing is one paste, not a thousand keys. */
const MAX_TYPED = 64;

const wallTimer: Timer = {
  set: (ms, expired) => setTimeout(expired, ms),
  clear: (handle) => clearTimeout(handle as NodeJS.Timeout),
};

/** The event at a position, if any, and where to continue; undefined: more bytes are needed. */
type ParseResult = { next: number; event?: InputEvent | undefined } | undefined;

/** Turns a raw-mode terminal's bytes, however they are split, into events; sequences never become typed text. */
export class InputParser {
  readonly #onEvent: (event: InputEvent) => void;
  readonly #timer: Timer;
  readonly #maxPaste: number;
  readonly #decoder = new TextDecoder("utf-8");
  #rest = "";
  #paste: { text: string; cut: boolean } | undefined;
  /** True once the terminal has marked a paste: unmarked text was typed then, however fast it comes. */
  #marksPastes = false;
  #waiting: unknown;
  #events: InputEvent[] = [];
  readonly #burst: PasteDetector;

  constructor({ onEvent, timer = wallTimer, maxPaste = 16 * 1024 * 1024 }: InputParserOptions) {
    this.#onEvent = onEvent;
    this.#timer = timer;
    this.#maxPaste = maxPaste;
    this.#burst = new PasteDetector(maxPaste);
  }

  /** Reports the events that more bytes complete. A throwing `onEvent` loses no other event; its error is rethrown. */
  push(bytes: Uint8Array | string): void {
    const text = typeof bytes === "string" ? bytes : this.#decoder.decode(bytes, { stream: true });
    this.#clearTimer();
    const events = this.#read(this.#rest + text);
    if (this.#paste) this.#wait(PASTE_MS);
    else if (this.#rest !== "") this.#wait(ESCAPE_MS);
    else if (this.#burst.isOpen) this.#wait(BURST_MS);
    this.#emit(events);
  }

  /** Drops a pending timer and an incomplete sequence. */
  reset(): void {
    this.#clearTimer();
    this.#rest = "";
    this.#paste = undefined;
    this.#burst.end();
  }

  #clearTimer(): void {
    if (this.#waiting !== undefined) this.#timer.clear(this.#waiting);
    this.#waiting = undefined;
  }

  #wait(ms: number): void {
    this.#waiting = this.#timer.set(ms, () => {
      this.#waiting = undefined;
      this.#expire();
      this.#emit([...this.#sorted(), ...this.#burst.end()]);
    });
  }

  /** Nothing followed: the apparent start of a sequence was typed. */
  #expire(): void {
    const rest = this.#rest;
    this.#rest = "";
    if (this.#paste) {
      this.#addPaste(rest);
      this.#endPaste();
      return;
    }
    // An incomplete long sequence is a broken reply; a short one is Escape or Alt with a key.
    if (rest.length > 3) return;
    if (rest === ESC || rest === ESC + ESC) for (const _ of rest) this.#events.push(key("escape", "", NO_MODIFIERS));
    else if (rest.startsWith(ESC)) {
      const [first = "", ...others] = rest.slice(1);
      this.#events.push(keyOfCharacter(first, ALT));
      for (const other of others) this.#events.push(keyOfCharacter(other));
    }
  }

  #taken(): InputEvent[] {
    const events = this.#events;
    this.#events = [];
    return events;
  }

  #emit(events: readonly InputEvent[]): void {
    const failures: unknown[] = [];
    for (const event of events) {
      try {
        this.#onEvent(event);
      } catch (error) {
        failures.push(error);
      }
    }
    if (failures.length > 0) throw failures[0];
  }

  /** The events read so far, except those that may still become a paste. */
  #sorted(): InputEvent[] {
    return this.#marksPastes ? [...this.#burst.end(), ...this.#taken()] : this.#burst.take(this.#taken());
  }

  #read(data: string): InputEvent[] {
    let at = 0;
    while (at < data.length) {
      const read = this.#paste ? this.#readPaste(data, at) : this.#readOne(data, at);
      if (!read) break;
      if (read.event) this.#events.push(read.event);
      at = read.next;
    }
    this.#rest = data.slice(at);
    return this.#sorted();
  }

  #readOne(data: string, at: number): ParseResult {
    const code = data.charCodeAt(at);
    if (code === 0x1b) return this.#readEscape(data, at, false);
    if (code === 0x9b) return readSequence(`${ESC}[${data.slice(at + 1, at + MAX_SEQUENCE)}`, 0, false, at - 1);
    if (code < 0x20 || code === 0x7f) return { next: at + 1, event: keyOfCharacter(data[at] as string) };
    if (code > 0x7f && code < 0xa0) return { next: at + 1 };
    return this.#readText(data, at);
  }

  #readText(data: string, at: number): ParseResult {
    let end = at;
    while (end < data.length && !isControl(data.charCodeAt(end))) end += 1;
    const run = data.slice(at, end);
    // Typed alone, a joiner belongs to the letter before it, which came earlier.
    const text = JOINERS.includes(run) ? run : sanitise(run).replaceAll("\ufffd", "");
    const typed = text.length > MAX_TYPED * 2 ? undefined : graphemes(text);
    if (!typed || typed.length > MAX_TYPED) this.#events.push({ type: "paste", text, cut: false });
    else for (const { text: each } of typed) this.#events.push(keyOfCharacter(each));
    return { next: end };
  }

  #readEscape(data: string, at: number, alt: boolean): ParseResult {
    const next = data[at + 1];
    if (next === undefined) return undefined;
    if (next === "[") {
      if (data.startsWith(PASTE_START, at)) {
        this.#paste = { text: "", cut: false };
        this.#marksPastes = true;
        return { next: at + PASTE_START.length };
      }
      return readSequence(data, at, alt, 0);
    }
    if (next === "O") return readShift3(data, at, alt);
    if (next === ESC && !alt) {
      const third = data[at + 2];
      if (third === undefined) return undefined;
      // rxvt sends Alt with a cursor key as ESC before the whole sequence.
      if (third === "[" || third === "O") return this.#readEscape(data, at + 1, true);
      return { next: at + 1, event: key("escape", "", NO_MODIFIERS) };
    }
    if (/[\]P_^X]/.test(next)) {
      if (data.length < at + 3) return undefined;
      if (isStringReply(data, at)) return readString(data, at);
    }
    const character = String.fromCodePoint(data.codePointAt(at + 1) ?? 0);
    return { next: at + 1 + character.length, event: keyOfCharacter(character, ALT) };
  }

  #readPaste(data: string, at: number): ParseResult {
    const end = data.indexOf(PASTE_END, at);
    if (end >= 0) {
      this.#addPaste(data.slice(at, end));
      this.#endPaste();
      return { next: end + PASTE_END.length };
    }
    // Keeps a possible start of the end mark.
    const keep = partialSuffix(data, at, PASTE_END);
    if (data.length - keep === at) return undefined;
    this.#addPaste(data.slice(at, data.length - keep));
    return { next: data.length - keep };
  }

  #addPaste(text: string): void {
    const paste = this.#paste;
    if (!paste) return;
    const room = this.#maxPaste - paste.text.length;
    if (text.length > room) paste.cut = true;
    paste.text += text.slice(0, room);
  }

  #endPaste(): void {
    const { text = "", cut = false } = this.#paste ?? {};
    this.#paste = undefined;
    this.#events.push({ type: "paste", text: sanitise(text.replace(/\r\n?/g, "\n")), cut });
  }
}

function isControl(code: number): boolean {
  return code < 0x20 || (code >= 0x7f && code < 0xa0);
}

function partialSuffix(data: string, from: number, mark: string): number {
  for (let size = Math.min(mark.length - 1, data.length - from); size > 0; size--) {
    if (data.endsWith(mark.slice(0, size))) return size;
  }
  return 0;
}

/** `shift` corrects offsets if the data was rewritten (an 8-bit CSI). */
function readSequence(data: string, at: number, alt: boolean, shift: number): ParseResult {
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

function readShift3(data: string, at: number, alt: boolean): ParseResult {
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
function isStringReply(data: string, at: number): boolean {
  const third = data[at + 2] ?? "";
  return data[at + 1] === "]" ? /\d/.test(third) : /[0-9>!+$|=G]/.test(third);
}

function readString(data: string, at: number): ParseResult {
  for (let end = at + 2; end < data.length && end - at < MAX_STRING; end++) {
    const code = data.charCodeAt(end);
    if (code === 0x07 || code === 0x9c) return stringReply(data, at, end + 1);
    if (code === 0x1b && data[end + 1] === "\\") return stringReply(data, at, end + 2);
  }
  return data.length - at >= MAX_STRING ? { next: data.length } : undefined;
}

function stringReply(data: string, at: number, end: number): ParseResult {
  return { next: end, event: { type: "reply", kind: "other", text: data.slice(at, end) } };
}
