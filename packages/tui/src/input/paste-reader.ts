import { droppedCharacters } from "../text/hidden-characters.ts";
import { sanitise } from "../text/sanitise.ts";
import { graphemes } from "../text/width.ts";
import { eventOfSequence, parseSequence } from "./control-sequence.ts";
import type { InputEvent, PasteEvent } from "./input-event.ts";

export const PASTE_START = "\u001b[200~";
const PASTE_END = "\u001b[201~";
/** tmux with `extended-keys-format csi-u` writes the control characters of a paste as keys. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: sequences begin with ESC.
const KEY_SEQUENCE = /(?:\u001b\[|\u009b)[0-9;:]+[u~]/g;
/** Ctrl+C in its three forms. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: a control character is a key.
const INTERRUPT = /^(?:\u0003|\u001b\[99(?::[\d:]*)?;5(?::1)?u|\u001b\[27;5;99~)$/;
// biome-ignore lint/suspicious/noControlCharactersInRegex: sequences begin with ESC.
const ONE_SEQUENCE = /^\u001b(?:[[O][\d;:]*)?[^[O]$/;

/** The text between the marks of a paste, however its bytes pause. */
export class PasteReader {
  readonly #maxPaste: number;
  #paste: { text: string; cut: boolean } | undefined;
  /** Nothing came for a while: either the line is slow or the end mark was lost. */
  #isStalled = false;
  /** After such a pause came one key's bytes. */
  #hasSingleKey = false;

  /** `maxPaste`: in UTF-16 units. */
  constructor(maxPaste: number) {
    this.#maxPaste = maxPaste;
  }

  get isOpen(): boolean {
    return this.#paste !== undefined;
  }

  begin(): void {
    this.#paste = { text: "", cut: false };
    this.#isStalled = false;
    this.#hasSingleKey = false;
  }

  /** Bytes came. True: Ctrl+C alone after a pause, so the end mark was lost. */
  heard(chunk: string): boolean {
    if (!this.#isStalled || chunk === "") return false;
    if (INTERRUPT.test(chunk)) return true;
    this.#hasSingleKey = isSingleKey(chunk);
    this.#isStalled = this.#hasSingleKey;
    return false;
  }

  /** Nothing came for a while. True: the end mark was lost, because what came last was typed. */
  pause(): boolean {
    if (this.#hasSingleKey) return true;
    this.#isStalled = true;
    return false;
  }

  /** Reads on from a position. */
  read(data: string, at: number): { next: number; event?: InputEvent } | undefined {
    const end = data.indexOf(PASTE_END, at);
    if (end >= 0) {
      this.#add(data.slice(at, end));
      return { next: end + PASTE_END.length, event: this.end("") };
    }
    // Keeps a possible start of the end mark.
    const keep = partialSuffix(data, at, PASTE_END);
    if (data.length - keep === at) return undefined;
    this.#add(data.slice(at, data.length - keep));
    return { next: data.length - keep };
  }

  end(rest: string): InputEvent {
    this.#add(rest);
    const { text = "", cut = false } = this.#paste ?? {};
    this.#paste = undefined;
    const typed = text.replace(KEY_SEQUENCE, textOfKey);
    return pasteOf(typed.replace(/\r\n?/g, "\n"), { cut });
  }

  /** Drops what came. */
  reset(): void {
    this.#paste = undefined;
  }

  #add(text: string): void {
    const paste = this.#paste;
    if (!paste) return;
    const room = this.#maxPaste - paste.text.length;
    if (text.length > room) paste.cut = true;
    paste.text += text.slice(0, room);
  }
}

/** A paste of untrusted text. */
export function pasteOf(raw: string, { cut }: Pick<PasteEvent, "cut">): PasteEvent {
  const hidden = droppedCharacters(raw);
  return { type: "paste", text: sanitise(raw), cut, ...(hidden && { hidden }) };
}

function isSingleKey(chunk: string): boolean {
  return ONE_SEQUENCE.test(chunk) || (chunk.length < 16 && graphemes(chunk).length === 1);
}

/** Reads a key within a paste: its text, or a control character. */
function textOfKey(whole: string): string {
  const sequence = parseSequence(whole.replace("\u009b", "\u001b["));
  const event = sequence && eventOfSequence(sequence, { alt: false });
  if (event?.type !== "key") return "";
  if (event.text !== "") return event.text;
  if (event.name === "enter") return "\n";
  if (event.name === "tab") return "\t";
  if (event.name === "escape") return "\u001b";
  const code = event.name.toUpperCase().charCodeAt(0);
  const isControl = event.ctrl && event.name.length === 1 && code >= 0x40 && code < 0x60;
  return isControl ? String.fromCharCode(code & 0x1f) : "";
}

function partialSuffix(data: string, from: number, mark: string): number {
  for (let size = Math.min(mark.length - 1, data.length - from); size > 0; size--) {
    if (data.endsWith(mark.slice(0, size))) return size;
  }
  return 0;
}
