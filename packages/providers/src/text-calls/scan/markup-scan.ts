import { openerAt, openerChars } from "../forms/call-forms.ts";
import { CALL_FENCE } from "../forms/fenced.ts";

/** A place where a block may begin. `isFence`: the opener is the line of a fence. */
export type Mark = { at: number; opener: string; isFence: boolean };

/** The first mark found, and the position at which the scan continues. */
export type ScanResult = { mark?: Mark; to: number };

/** Longer fence lines are fences too, but contain no call. */
const MAX_FENCE_LINE = 200;
const CODE_INDENT = 4;
/** Within a line: its end, code, and the characters that marks begin with. */
const NOTABLE = new RegExp(`[\\n\`${openerChars.map((char) => char.replace(/[\\\]^-]/, "\\$&")).join("")}]`, "g");
const QUOTES = "\"'`“‘«";

type Fence = { char: string; length: number };

/**
 * Walks through Markdown and finds where a model may mean the marks of a call: not in a fence, not in quoted or
 * indented lines, not in inline code, not right after a quotation mark. Takes a text whole or in pieces: the part that
 * it could not decide yet must be passed again, with more text after it.
 */
export class MarkupScan {
  #line: "start" | "open" | "quoted" = "start";
  #indent = 0;
  #isInCode = false;
  #last = "";
  #fence: Fence | undefined;

  /** Scans `text` from `from` on; more of it may follow. */
  scan(text: string, from: number): ScanResult {
    return this.#scan(text, from, false);
  }

  /** The same for a text that is complete. */
  scanWhole(text: string, from: number): ScanResult {
    return this.#scan(text, from, true);
  }

  #scan(text: string, from: number, isWhole: boolean): ScanResult {
    let at = from;
    while (at < text.length) {
      const char = text.charAt(at);
      if (char === "\n") {
        this.#startLine();
        at += 1;
      } else if (this.#line === "start") {
        const line = this.#beginLine(text, at, isWhole);
        if (line === undefined) return { to: at };
        if (line.mark) return line;
        at = line.to;
      } else if (this.#line === "quoted") {
        const newline = text.indexOf("\n", at);
        at = newline < 0 ? text.length : newline;
      } else {
        const next = notableAt(text, at);
        if (next > at) {
          this.#last = text.charAt(next - 1);
          at = next;
          continue;
        }
        const opener = this.#openerAt(text, at);
        if (opener === "maybe" && !isWhole) return { to: at };
        this.#pass(char);
        at += 1;
        if (opener !== undefined && opener !== "maybe") {
          return { mark: { at: at - 1, opener, isFence: false }, to: at };
        }
      }
    }
    return { to: at };
  }

  #startLine(): void {
    this.#line = "start";
    this.#indent = 0;
    this.#isInCode = false;
    this.#last = "";
  }

  /** Takes one step at the start of a line; undefined if more text is needed. */
  #beginLine(text: string, at: number, isWhole: boolean): ScanResult | undefined {
    const char = text.charAt(at);
    if (char === " " || char === "\t" || char === "\r") {
      this.#indent += char === "\t" ? CODE_INDENT : 1;
      return { to: at + 1 };
    }
    if (char === "`" || char === "~") {
      const line = fenceLine(text, at, isWhole);
      if (line === undefined) return undefined;
      if (line !== "") return this.#passFence(line, at);
    }
    const isQuoted = this.#fence !== undefined || char === ">" || this.#indent >= CODE_INDENT;
    this.#line = isQuoted ? "quoted" : "open";
    return { to: at };
  }

  #passFence(line: string, at: number): ScanResult {
    const char = line.charAt(0);
    const length = runLength(line, 0);
    const to = at + line.length;
    this.#line = "quoted";
    if (this.#fence) {
      const closes = this.#fence.char === char && length >= this.#fence.length && line.slice(length).trim() === "";
      if (closes) this.#fence = undefined;
      return { to };
    }
    // The language of a backtick fence cannot contain one: such a line is inline code.
    if (char === "`" && line.includes("`", length)) return { to };
    this.#fence = { char, length };
    const isCall = this.#indent < CODE_INDENT && CALL_FENCE.test(line.trimEnd());
    return isCall ? { mark: { at, opener: line, isFence: true }, to } : { to };
  }

  #openerAt(text: string, at: number): string | undefined {
    if (this.#isInCode || (this.#last !== "" && QUOTES.includes(this.#last))) return undefined;
    return openerAt(text, at);
  }

  #pass(char: string): void {
    if (char === "`" && this.#last !== "`") this.#isInCode = !this.#isInCode;
    this.#last = char;
  }
}

/** The length of the text if there is none. */
function notableAt(text: string, at: number): number {
  NOTABLE.lastIndex = at;
  return NOTABLE.exec(text)?.index ?? text.length;
}

/** The line, if it begins like a fence; empty if it does not; undefined if that cannot be decided yet. */
function fenceLine(text: string, at: number, isWhole: boolean): string | undefined {
  const run = runLength(text, at);
  const isAtEnd = at + run >= text.length;
  if (run < 3) return isAtEnd && !isWhole ? undefined : "";
  const newline = text.indexOf("\n", at);
  if (newline >= 0) return text.slice(at, newline);
  const isLong = text.length - at > MAX_FENCE_LINE;
  return isWhole || isLong ? text.slice(at) : undefined;
}

function runLength(text: string, at: number): number {
  let end = at;
  while (text[end] === text[at] && end < text.length) end += 1;
  return end - at;
}
