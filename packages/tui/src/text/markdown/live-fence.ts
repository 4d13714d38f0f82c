import type { Row } from "../style.ts";
import { codeRows } from "./block-rows.ts";
import type { DrawingCode } from "./drawing-code.ts";
import { highlight, languageOf, unstyledLines } from "./highlighter.ts";

const OPENING = /^( {0,3})(`{3,}|~{3,})([^\n]*)\n/;
/**
 * Code that is still being written is highlighted in chunks of this many lines; the closed block is highlighted as a
 * whole.
 */
const STRETCH = 30;

/** A fenced code block while it is being written: each line is drawn when it is complete, and few are redrawn. */
export class LiveFence {
  readonly #code: DrawingCode;
  readonly #width: number;
  readonly #language: string;
  readonly #closing: RegExp;
  /** Offset in the source up to which lines were consumed. */
  #taken: number;
  readonly #settled: Row[] = [];
  #stretch: string[] = [];
  #stretchRows: Row[] = [];
  #unfinished = "";

  private constructor(code: DrawingCode, width: number, [opening = "", , marker = "", info = ""]: RegExpExecArray) {
    this.#code = code;
    this.#width = width;
    this.#language = languageOf(info);
    this.#closing = new RegExp(`^ {0,3}${marker[0] === "~" ? "~" : "`"}{${marker.length},}[ \\t]*$`);
    this.#taken = opening.length;
  }

  /** Undefined unless the source starts with a complete first line of a fence. */
  static open(source: string, width: number, code: DrawingCode): LiveFence | undefined {
    const match = OPENING.exec(source);
    const [, , marker = "", info = ""] = match ?? [];
    if (!match || (marker.startsWith("`") && info.includes("`"))) return undefined;
    return new LiveFence(code, width, match);
  }

  /** Takes the new part of the source; returns the offset after the closing fence once there is one. */
  update(source: string): number | undefined {
    const start = this.#taken;
    for (let end = source.indexOf("\n", this.#taken); end >= 0; end = source.indexOf("\n", this.#taken)) {
      const line = source.slice(this.#taken, end);
      this.#taken = end + 1;
      if (this.#closing.test(line)) return this.#taken;
      this.#stretch.push(line);
      if (this.#stretch.length >= STRETCH) this.#settle();
    }
    if (this.#taken !== start) this.#drawStretch();
    this.#unfinished = source.slice(this.#taken);
    return undefined;
  }

  rows(): Row[] {
    const rest = this.#unfinished === "" ? [] : codeRows(unstyledLines(this.#unfinished), this.#width);
    return [...this.#settled, ...this.#stretchRows, ...rest];
  }

  #drawStretch(): void {
    this.#stretchRows = codeRows(
      this.#stretch.length === 0 ? [] : highlight(this.#stretch.join("\n"), this.#language, this.#code),
      this.#width,
    );
  }

  #settle(): void {
    this.#drawStretch();
    this.#settled.push(...this.#stretchRows);
    this.#stretch = [];
    this.#stretchRows = [];
  }
}
