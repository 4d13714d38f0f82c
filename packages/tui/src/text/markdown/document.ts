import type { Token } from "marked";
import { dropHidden } from "../hidden-characters.ts";
import type { VirtualRows } from "../rows.ts";
import { PlainText } from "../sanitise.ts";
import { EMPTY_ROW, PLAIN, type Row, textOfRow } from "../style.ts";
import { expandTabs } from "../tabs.ts";
import { wrapSpans } from "../wrap.ts";
import { documentRows } from "./block-rows.ts";
import type { DrawingCode, Lexer } from "./drawing-code.ts";
import { LiveFence } from "./live-fence.ts";

/** The longest text that is lexed again with each frame: a longer block is cut at a line and continues as a new one. */
const MAX_TAIL = 8 * 1024;

/**
 * Markdown that may still be growing. Final blocks are lexed and drawn once, so that a frame costs only as much as the
 * last block. Rows keep their identity as long as their text does not change.
 */
export class MarkdownDocument implements VirtualRows {
  readonly #code: DrawingCode;
  readonly #plain = new PlainText();
  #raw = "";
  #finished = false;
  /** Source that is not in a closed block yet. */
  #tail = "";
  readonly #closed: Token[] = [];
  readonly #rows: Row[] = [];
  #drawn = 0;
  #tailRows: Row[] = [];
  #fence: LiveFence | undefined;
  #fresh = true;
  #width = 0;
  #generation = -1;

  constructor(code: DrawingCode) {
    this.#code = code;
  }

  /** Sets the text received so far, untrusted. A text that does not continue the previous one resets everything. */
  update(raw: string): void {
    if (raw.length < this.#raw.length || !raw.startsWith(this.#raw)) this.#restart();
    const added = raw.slice(this.#raw.length);
    if (added === "") return;
    this.#raw = raw;
    this.#tail += this.#plain.push(added);
    this.#fresh = true;
  }

  /** The text is complete. */
  finish(): void {
    if (this.#finished) return;
    this.#finished = true;
    this.#tail += this.#plain.end();
    this.#fresh = true;
  }

  get raw(): string {
    return this.#raw;
  }

  /** Draws what is new. Must be called before rows are read. */
  layout(width: number): void {
    if (width !== this.#width || this.#code.generation !== this.#generation) {
      this.#width = width;
      this.#generation = this.#code.generation;
      this.#rows.length = 0;
      this.#drawn = 0;
      this.#fence = undefined;
      this.#fresh = true;
    }
    if (!this.#fresh) return;
    this.#fresh = false;
    const { lexer } = this.#code;
    const tail = lexer ? this.#drawTail(lexer) : plainRows(this.#tail, width);
    this.#drawClosed();
    const separated = tail.length > 0 && this.#rows.length > 0 ? [EMPTY_ROW, ...tail] : tail;
    this.#tailRows = keepSame(this.#tailRows, separated);
  }

  get height(): number {
    return this.#rows.length + this.#tailRows.length;
  }

  row(index: number): Row | undefined {
    return index < this.#rows.length ? this.#rows[index] : this.#tailRows[index - this.#rows.length];
  }

  #restart(): void {
    this.#raw = "";
    this.#tail = "";
    this.#plain.end();
    this.#finished = false;
    this.#closed.length = 0;
    this.#rows.length = 0;
    this.#drawn = 0;
    this.#fence = undefined;
    this.#fresh = true;
  }

  #drawClosed(): void {
    for (; this.#drawn < this.#closed.length; this.#drawn++) {
      const own = documentRows(this.#closed.slice(this.#drawn, this.#drawn + 1), this.#width, this.#code);
      if (own.length === 0) continue;
      if (this.#rows.length > 0) this.#rows.push(EMPTY_ROW);
      // The block that is closed now was the tail until now.
      const seen = this.#tailRows[0] === EMPTY_ROW ? this.#tailRows.slice(1) : this.#tailRows;
      for (const row of keepSame(seen, own)) this.#rows.push(row);
      this.#tailRows = [];
    }
  }

  /** Closes every block that is complete and returns the rows of the rest. */
  #drawTail(lexer: Lexer): Row[] {
    for (;;) {
      if (this.#finished) {
        this.#close(lex(lexer, this.#tail), "");
        return [];
      }
      this.#fence ??= LiveFence.open(this.#tail, this.#width, this.#code);
      if (this.#fence) {
        const end = this.#fence.update(this.#tail);
        if (end === undefined) return this.#fence.rows();
        this.#fence = undefined;
        this.#close(lex(lexer, this.#tail.slice(0, end)), this.#tail.slice(end));
        continue;
      }
      const tokens = lex(lexer, this.#tail);
      const last = tokens.findLastIndex(({ type }) => type !== "space");
      const start = startOf(tokens, last, this.#tail);
      if (start > 0) {
        this.#close(tokens.slice(0, last), this.#tail.slice(start));
        continue;
      }
      const cut = this.#tail.length > MAX_TAIL ? this.#tail.lastIndexOf("\n") + 1 || this.#tail.length : 0;
      if (cut === 0) return documentRows(tokens, this.#width, this.#code);
      this.#close(lex(lexer, this.#tail.slice(0, cut)), this.#tail.slice(cut));
    }
  }

  #close(tokens: readonly Token[], rest: string): void {
    this.#closed.push(...tokens);
    this.#tail = rest;
  }
}

function lex(lexer: Lexer, source: string): Token[] {
  if (source.trim() === "") return [];
  try {
    return lexer(source);
  } catch {
    // Hostile nesting can exhaust the lexer; the text is shown as it is.
    return [{ type: "html", raw: source, text: source, block: true, pre: false }];
  }
}

/** Where a token starts in the source; 0 if that is unclear. The lexer drops blanks at the end of some tokens. */
function startOf(tokens: readonly Token[], index: number, source: string): number {
  let at = 0;
  for (const [place, { raw }] of tokens.entries()) {
    while (!source.startsWith(raw, at)) {
      if (!/\s/.test(source[at] ?? "x")) return 0;
      at += 1;
    }
    if (place === index) return at;
    at += raw.length;
  }
  return 0;
}

function plainRows(source: string, width: number): Row[] {
  return source
    .replace(/\n+$/, "")
    .split("\n")
    .flatMap((line) =>
      line === "" ? [EMPTY_ROW] : wrapSpans(expandTabs([{ text: dropHidden(line), style: PLAIN }]), width),
    );
}

/** Reuses row objects that did not change, because the painter compares by identity. */
function keepSame(before: readonly Row[], after: Row[]): Row[] {
  return after.map((row, index) => {
    const old = before[index];
    return old && sameRow(old, row) ? old : row;
  });
}

function sameRow(a: Row, b: Row): boolean {
  if (a === b) return true;
  return (
    a.spans.length === b.spans.length &&
    textOfRow(a) === textOfRow(b) &&
    a.spans.every((span, index) => span.text === b.spans[index]?.text && span.style === b.spans[index]?.style)
  );
}

export function markdownRows(text: string, width: number, code: DrawingCode): Row[] {
  const document = new MarkdownDocument(code);
  document.update(text);
  document.finish();
  document.layout(width);
  return Array.from({ length: document.height }, (_, index) => document.row(index) ?? EMPTY_ROW);
}
