/**
 * Reads a stream of untrusted text and reports it to a sink. Escape sequences are consumed whole, wherever the stream
 * is split; only colours (`sgr`) and erasing within a line are reported. Linear in the text, bounded state.
 */
export type EscapeSink = {
  /** Contains no control characters; surrogate pairs are whole. */
  text(run: string): void;
  newline(): void;
  carriageReturn(): void;
  tab(): void;
  backspace(): void;
  /** Parameters of `CSI … m`. */
  sgr(parameters: string): void;
  /** `CSI n K`: 0 erases to the end of the line, 1 to its start, 2 all of it. */
  eraseLine(mode: number): void;
};

type State = "ground" | "escape" | "escapeIntermediate" | "csi" | "string" | "stringEscape";

const CONTROL = /\p{Cc}/gu;
/** An unterminated string ends after this many characters. */
const MAX_STRING = 4096;
/** Longer parameters of a sequence are ignored. */
const MAX_PARAMETERS = 256;

/** No real sequence has more. */
const MAX_INTERMEDIATES = 8;

const ESC = 0x1b;
const LF = 0x0a;
const CAN = 0x18;
const SUB = 0x1a;

export class EscapeReader {
  readonly #sink: EscapeSink;
  #state: State = "ground";
  #parameters = "";
  #length = 0;
  /** A high surrogate whose low half comes with the next chunk. */
  #half = "";

  constructor(sink: EscapeSink) {
    this.#sink = sink;
  }

  push(chunk: string): void {
    let text = this.#half + chunk;
    this.#half = "";
    const last = text.charCodeAt(text.length - 1);
    if (last >= 0xd800 && last < 0xdc00) {
      this.#half = text.slice(-1);
      text = text.slice(0, -1);
    }
    let at = 0;
    while (at < text.length) at = this.#state === "ground" ? this.#ground(text, at) : this.#inside(text, at);
  }

  /** The text ends here: flushes what was held back. */
  end(): void {
    if (this.#half !== "" && this.#state === "ground") this.#sink.text("\ufffd");
    this.#half = "";
    this.#state = "ground";
  }

  #ground(text: string, at: number): number {
    CONTROL.lastIndex = at;
    const found = CONTROL.exec(text);
    const end = found ? found.index : text.length;
    if (end > at) this.#sink.text(text.slice(at, end));
    if (!found) return end;
    this.#control(text.charCodeAt(end));
    return end + 1;
  }

  #control(code: number): void {
    if (code === LF) this.#sink.newline();
    else if (code === 0x0d) this.#sink.carriageReturn();
    else if (code === 0x09) this.#sink.tab();
    else if (code === 0x08) this.#sink.backspace();
    else if (code === ESC) this.#startEscape();
    else if (code === 0x9b) this.#startSequence();
    // The 8-bit forms of DCS, SOS, OSC, PM and APC.
    else if (code === 0x90 || code === 0x98 || code >= 0x9d) this.#startString();
  }

  #startEscape(): void {
    this.#state = "escape";
    this.#length = 0;
  }

  #startSequence(): void {
    this.#state = "csi";
    this.#parameters = "";
  }

  #startString(): void {
    this.#state = "string";
    this.#length = 0;
  }

  #inside(text: string, at: number): number {
    const code = text.charCodeAt(at);
    if (code === LF || code === CAN || code === SUB) {
      this.#state = "ground";
      if (code === LF) this.#sink.newline();
    } else if (this.#state === "string") this.#inString(code);
    else if (code === ESC) this.#startEscape();
    else if (this.#state === "csi") this.#inSequence(code);
    else this.#afterEscape(code);
    return at + 1;
  }

  #inString(code: number): void {
    this.#length += 1;
    if (code === ESC) {
      this.#state = "stringEscape";
      this.#length = 0;
    } else if (code === 0x07 || code === 0x9c || this.#length >= MAX_STRING) this.#state = "ground";
  }

  #inSequence(code: number): void {
    if (code >= 0x40 && code < 0x7f) {
      this.#state = "ground";
      if (this.#parameters.length <= MAX_PARAMETERS) this.#tell(String.fromCharCode(code));
    } else if (code >= 0x20 && code < 0x40) {
      if (this.#parameters.length <= MAX_PARAMETERS) this.#parameters += String.fromCharCode(code);
      else this.#startString();
    } else if (code >= 0xa0) {
      // No sequence contains such a character: the text continues here.
      this.#state = "ground";
      this.#sink.text(code >= 0xd800 && code < 0xe000 ? "\ufffd" : String.fromCharCode(code));
    }
  }

  #tell(final: string): void {
    if (final === "m" && /^[0-9;:]*$/.test(this.#parameters)) this.#sink.sgr(this.#parameters);
    if (final === "K" && /^[0-2]?$/.test(this.#parameters)) this.#sink.eraseLine(Number(this.#parameters));
  }

  #afterEscape(code: number): void {
    const wasString = this.#state === "stringEscape";
    this.#state = "ground";
    if (wasString && code === 0x5c) return;
    if (code === 0x5b) this.#startSequence();
    else if (code === 0x5d || code === 0x50 || code === 0x58 || code === 0x5e || code === 0x5f) this.#startString();
    else if (code >= 0x20 && code < 0x30 && this.#length < MAX_INTERMEDIATES) {
      this.#length += 1;
      this.#state = "escapeIntermediate";
    }
  }
}
