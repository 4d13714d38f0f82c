import { sanitise } from "../text/sanitise.ts";
import { graphemes } from "../text/width.ts";
import type { InputEvent } from "./input-event.ts";
import { key, keyOfCharacter, NO_MODIFIERS } from "./key-codes.ts";
import { PasteDetector } from "./paste-detector.ts";
import { PASTE_START, PasteReader, pasteOf } from "./paste-reader.ts";
import {
  isStringReply,
  MAX_SEQUENCE,
  type ParseResult,
  readSequence,
  readShift3,
  readString,
} from "./read-sequence.ts";

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
/** Escape, once or twice, or the start of a sequence. */
const ESCAPES = ["", ESC, ESC + ESC];
/** The rest of a sequence in one read; by hand its letters come singly. */
const LATE_SEQUENCE = /^(?:\[[<=>?]?[\d;:]*[ -/]*[@-Z^_a-z{|}~]|\]\d+;|O[A-DFHP-S]$|P[>!]?[\d+$|])/;
const SHIFT_ENTER = key("enter", "", { ...NO_MODIFIERS, shift: true });
const JOINERS = "\u200c\u200d";
/** A lone ESC is the Escape key if nothing follows within this time. */
const ESCAPE_MS = 50;
/** Over a slow line the rest of a sequence comes this much later; no key is waited for that long. */
const SEQUENCE_MS = 1200;
/** After this silence within a paste, its end may have been lost. */
const PASTE_MS = 3000;
/** Text that follows an Enter within this time was not typed by hand. */
const BURST_MS = 30;
/** Text faster than typing is one paste, not a thousand keys. */
const MAX_TYPED = 64;

/** A timer that is late because the process was busy expires after the bytes that have arrived meanwhile. */
const wallTimer: Timer = {
  set: (ms, expired) => {
    let isSet = true;
    const timeout = setTimeout(() => setImmediate(() => isSet && expired()), ms);
    return () => {
      isSet = false;
      clearTimeout(timeout);
    };
  },
  clear: (handle) => {
    if (typeof handle === "function") handle();
  },
};

/** Turns a raw-mode terminal's bytes, however they are split, into events; sequences never become typed text. */
export class InputParser {
  readonly #onEvent: (event: InputEvent) => void;
  readonly #timer: Timer;
  readonly #decoder = new TextDecoder("utf-8");
  #rest = "";
  /** True once the terminal has marked a paste: unmarked text was typed then, however fast it comes. */
  #marksPastes = false;
  #waiting: unknown;
  /** Escape was taken for a key; over a slow line it began a sequence. */
  #afterEscape = false;
  #events: InputEvent[] = [];
  readonly #paste: PasteReader;
  readonly #burst: PasteDetector;

  constructor({ onEvent, timer = wallTimer, maxPaste = 16 * 1024 * 1024 }: InputParserOptions) {
    this.#onEvent = onEvent;
    this.#timer = timer;
    this.#paste = new PasteReader(maxPaste);
    this.#burst = new PasteDetector(maxPaste);
  }

  /** Reports the events that more bytes complete. A throwing `onEvent` loses no other event; its error is rethrown. */
  push(bytes: Uint8Array | string): void {
    const text = typeof bytes === "string" ? bytes : this.#decoder.decode(bytes, { stream: true });
    this.#clearTimer();
    if (this.#paste.isOpen && this.#paste.heard(text)) this.#endPaste();
    const isLate = this.#afterEscape && LATE_SEQUENCE.test(text);
    this.#afterEscape = false;
    const events = this.#read((isLate ? ESC : this.#rest) + text);
    if (this.#paste.isOpen) this.#wait(PASTE_MS);
    else if (this.#rest !== "") this.#wait(ESCAPES.includes(this.#rest) ? ESCAPE_MS : SEQUENCE_MS);
    else if (this.#burst.isOpen) this.#wait(BURST_MS);
    this.#emit(events);
  }

  /** Drops a pending timer and an incomplete sequence. */
  reset(): void {
    this.#clearTimer();
    this.#rest = "";
    this.#paste.reset();
    this.#afterEscape = false;
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
    if (this.#paste.isOpen) {
      if (this.#paste.pause()) this.#endPaste();
      return;
    }
    if (this.#afterEscape) {
      this.#afterEscape = false;
      return;
    }
    const rest = this.#rest;
    this.#rest = "";
    // More than one key's bytes are a broken reply.
    if (rest.length > 2) return;
    if (ESCAPES.includes(rest)) {
      for (const _ of rest) this.#events.push(key("escape", "", NO_MODIFIERS));
      this.#afterEscape = rest !== "";
      if (this.#afterEscape) this.#wait(SEQUENCE_MS);
    } else if (rest.startsWith(ESC)) this.#events.push(keyOfCharacter(rest.slice(1), ALT));
  }

  /** The end mark of a paste was lost. */
  #endPaste(): void {
    this.#events.push(this.#paste.end(this.#rest));
    this.#rest = "";
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
      const read = this.#paste.isOpen ? this.#paste.read(data, at) : this.#readOne(data, at);
      if (!read) break;
      if (read.event) this.#events.push(read.event);
      at = read.next;
    }
    this.#rest = data.slice(at);
    return this.#sorted();
  }

  #readOne(data: string, at: number): ParseResult {
    // Shift+Enter as setups of other agents bind it.
    if (at === 0 && (data === "\\\n" || data === "\\\r\n")) return { next: data.length, event: SHIFT_ENTER };
    const code = data.charCodeAt(at);
    // A line end in two bytes is one key.
    if (code === 0x0d && data[at + 1] === "\n") return { next: at + 2, event: keyOfCharacter("\r") };
    if (code === 0x1b) return this.#readEscape(data, at, false);
    if (code === 0x9b)
      return readSequence(`${ESC}[${data.slice(at + 1, at + MAX_SEQUENCE)}`, 0, { alt: false, shift: at - 1 });
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
    if (!typed || typed.length > MAX_TYPED) this.#events.push({ ...pasteOf(run, { cut: false }), text });
    else for (const { text: each } of typed) this.#events.push(keyOfCharacter(each));
    return { next: end };
  }

  #readEscape(data: string, at: number, alt: boolean): ParseResult {
    const next = data[at + 1];
    if (next === undefined) return undefined;
    if (next === "[") {
      if (data.startsWith(PASTE_START, at)) {
        this.#paste.begin();
        this.#marksPastes = true;
        return { next: at + PASTE_START.length };
      }
      return readSequence(data, at, { alt, shift: 0 });
    }
    if (next === "O") return readShift3(data, at, { alt });
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
    if (next === "\n" || next === "\r") {
      const size = data.startsWith("\r\n", at + 1) ? 3 : 2;
      return { next: at + size, event: keyOfCharacter("\r", ALT) };
    }
    const character = String.fromCodePoint(data.codePointAt(at + 1) ?? 0);
    return { next: at + 1 + character.length, event: keyOfCharacter(character, ALT) };
  }
}

function isControl(code: number): boolean {
  return code < 0x20 || (code >= 0x7f && code < 0xa0);
}
