import type { Row } from "../style.ts";
import { codeRows } from "./block-rows.ts";
import { highlight, plainLines } from "./highlighter.ts";

const OPENING = /^( {0,3})(`{3,}|~{3,})([^\n]*)\n/;
/** Code that is still being written is coloured in stretches of this many lines; the closed block is coloured as a whole. */
const STRETCH = 30;

/** A fenced code block while it is being written: each line is drawn when it is complete, and few are drawn again. */
export class LiveFence {
  readonly #width: number;
  readonly #language: string;
  readonly #closing: RegExp;
  /** Offset in the source up to which lines were taken. */
  #taken: number;
  readonly #settled: Row[] = [];
  #stretch: string[] = [];
  #stretchRows: Row[] = [];
  #unfinished = "";

  private constructor(width: number, language: string, marker: string, start: number) {
    this.#width = width;
    this.#language = language;
    this.#closing = new RegExp(`^ {0,3}${marker[0] === "~" ? "~" : "`"}{${marker.length},}[ \\t]*$`);
    this.#taken = start;
  }

  /** Undefined unless the source starts with a complete first line of a fence. */
  static open(source: string, width: number): LiveFence | undefined {
    const match = OPENING.exec(source);
    const [opening = "", , marker = "", info = ""] = match ?? [];
    if (!match || (marker.startsWith("`") && info.includes("`"))) return undefined;
    return new LiveFence(width, info.trim().split(/[\s{,:]/)[0] ?? "", marker, opening.length);
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
    const rest = this.#unfinished === "" ? [] : codeRows(plainLines(this.#unfinished), this.#width);
    return [...this.#settled, ...this.#stretchRows, ...rest];
  }

  #drawStretch(): void {
    this.#stretchRows = codeRows(
      this.#stretch.length === 0 ? [] : highlight(this.#stretch.join("\n"), this.#language),
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
