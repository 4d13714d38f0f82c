import { type BufferLine, bufferLine, type Cell, layoutLines } from "./buffer-layout.ts";
import { nextGrapheme, nextWord, previousGrapheme, previousWord } from "./word-motion.ts";

/** `line` counts from 0; `column` is an offset in UTF-16 units, always between graphemes. */
export type Position = { readonly line: number; readonly column: number };
type Snapshot = { readonly lines: readonly BufferLine[]; readonly cursor: Position };
type Past = { readonly undo: readonly Snapshot[]; readonly redo: readonly Snapshot[]; readonly typing: boolean };

/** `rows` are ready for drawing; the cursor is one of their cells and always inside `width`. */
export type BufferLayout = {
  readonly rows: readonly string[];
  readonly cursor: Cell;
  /** True for a row that continues the line above. */
  isContinued(row: number): boolean;
};

const MAX_UNDO = 200;
const NO_PAST: Past = { undo: [], redo: [], typing: false };
const CONTROLS = /(?![\t\n])\p{Cc}|[\u2028\u2029]/gu;

/** The text of the composer. A value: each edit returns a new buffer and leaves the old one unchanged. */
export class TextBuffer {
  static readonly empty = new TextBuffer([bufferLine("")], { line: 0, column: 0 }, NO_PAST);

  readonly cursor: Position;
  readonly #lines: readonly BufferLine[];
  readonly #past: Past;
  #text: string | undefined;

  private constructor(lines: readonly BufferLine[], cursor: Position, past: Past) {
    this.#lines = lines;
    this.cursor = cursor;
    this.#past = past;
  }

  /** A buffer with this text and the cursor at its end. */
  static of(text: string): TextBuffer {
    return TextBuffer.empty.insert(text).#forget();
  }

  get text(): string {
    this.#text ??= this.#lines.map((line) => line.text).join("\n");
    return this.#text;
  }

  get isEmpty(): boolean {
    return this.#lines.length === 1 && this.#line(0) === "";
  }

  get lineCount(): number {
    return this.#lines.length;
  }

  /** The cursor as an offset in `text`. */
  get offset(): number {
    let offset = this.cursor.column;
    for (let line = 0; line < this.cursor.line; line++) offset += this.#line(line).length + 1;
    return offset;
  }

  /** Text before the cursor on its line, as needed for completion. */
  get before(): string {
    return this.#line(this.cursor.line).slice(0, this.cursor.column);
  }

  /** Control characters are dropped; any newline form becomes `\n`. */
  insert(text: string): TextBuffer {
    const clean = text.replace(/\r\n?/g, "\n").replace(CONTROLS, "");
    if (clean === "") return this;
    const word = !/\s/.test(clean);
    return this.#splice(this.cursor, this.cursor, clean, word && clean.length < 16);
  }

  /** Replaces a part of `text` (offsets in it); the cursor moves after the inserted text. */
  replace(from: number, to: number, text: string): TextBuffer {
    const clean = text.replace(/\r\n?/g, "\n").replace(CONTROLS, "");
    return this.#splice(this.#at(from), this.#at(Math.max(from, to)), clean, false);
  }

  /** Replaces everything, as one step of undo. */
  set(text: string): TextBuffer {
    return this.replace(0, this.text.length, text);
  }

  deleteBack(): TextBuffer {
    return this.#delete(this.left());
  }
  deleteForward(): TextBuffer {
    return this.#delete(this.right());
  }
  deleteWordBack(): TextBuffer {
    return this.#delete(this.wordLeft());
  }
  deleteWordForward(): TextBuffer {
    return this.#delete(this.wordRight());
  }
  /** To the start of the line; at the start, the newline before it. */
  deleteToLineStart(): TextBuffer {
    return this.#delete(this.cursor.column === 0 ? this.left() : this.lineStart());
  }
  /** To the end of the line; at the end, the newline after it. */
  deleteToLineEnd(): TextBuffer {
    const end = this.lineEnd();
    return this.#delete(end.cursor.column === this.cursor.column ? this.right() : end);
  }

  left(): TextBuffer {
    const { line, column } = this.cursor;
    if (column > 0) return this.#move(line, previousGrapheme(this.#line(line), column));
    return line > 0 ? this.#move(line - 1, this.#line(line - 1).length) : this;
  }
  right(): TextBuffer {
    const { line, column } = this.cursor;
    if (column < this.#line(line).length) return this.#move(line, nextGrapheme(this.#line(line), column));
    return line + 1 < this.#lines.length ? this.#move(line + 1, 0) : this;
  }
  wordLeft(): TextBuffer {
    const { line, column } = this.cursor;
    return column === 0 ? this.left() : this.#move(line, previousWord(this.#line(line), column));
  }
  wordRight(): TextBuffer {
    const { line, column } = this.cursor;
    const text = this.#line(line);
    return column === text.length ? this.right() : this.#move(line, nextWord(text, column));
  }
  lineStart(): TextBuffer {
    return this.#move(this.cursor.line, 0);
  }
  lineEnd(): TextBuffer {
    return this.#move(this.cursor.line, this.#line(this.cursor.line).length);
  }
  start(): TextBuffer {
    return this.#move(0, 0);
  }
  end(): TextBuffer {
    const last = this.#lines.length - 1;
    return this.#move(last, this.#line(last).length);
  }

  /** One drawn row up or down at this width; undefined: there is none (history may then take over). */
  up(width: number): TextBuffer | undefined {
    return this.#vertical(width, -1);
  }
  down(width: number): TextBuffer | undefined {
    return this.#vertical(width, 1);
  }

  /** With the cursor at an offset in `text`. */
  cursorTo(offset: number): TextBuffer {
    const { line, column } = this.#at(offset);
    return this.#move(line, column);
  }

  /** With the cursor at a cell of the layout for this width. */
  cursorAt(cell: Cell, width: number): TextBuffer {
    const { rows, positionOf } = layoutLines(this.#lines, width);
    const row = Math.max(0, Math.min(cell.row, rows.length - 1));
    const { line, column } = positionOf({ row, column: Math.max(0, cell.column) });
    return this.#move(line, column);
  }

  /** With all edits since an earlier state as one step of undo. */
  asOneStepSince(earlier: TextBuffer): TextBuffer {
    if (earlier.text === this.text)
      return new TextBuffer(this.#lines, this.cursor, { ...earlier.#past, typing: false });
    const undo = [...earlier.#past.undo, earlier.#snapshot()].slice(-MAX_UNDO);
    return new TextBuffer(this.#lines, this.cursor, { undo, redo: [], typing: false });
  }

  undo(): TextBuffer {
    const [last] = this.#past.undo.slice(-1);
    if (!last) return this;
    const past = { undo: this.#past.undo.slice(0, -1), redo: [...this.#past.redo, this.#snapshot()], typing: false };
    return new TextBuffer(last.lines, last.cursor, past);
  }
  redo(): TextBuffer {
    const [next] = this.#past.redo.slice(-1);
    if (!next) return this;
    const past = { undo: [...this.#past.undo, this.#snapshot()], redo: this.#past.redo.slice(0, -1), typing: false };
    return new TextBuffer(next.lines, next.cursor, past);
  }

  layout(width: number): BufferLayout {
    const { rows, cellOf, isContinued } = layoutLines(this.#lines, width);
    return { rows, cursor: cellOf(this.cursor.line, this.cursor.column), isContinued };
  }

  #vertical(width: number, by: -1 | 1): TextBuffer | undefined {
    const { rows, cellOf, positionOf } = layoutLines(this.#lines, width);
    const cell = cellOf(this.cursor.line, this.cursor.column);
    const target = cell.row + by;
    if (target < 0 || target >= rows.length) return undefined;
    const { line, column } = positionOf({ row: target, column: cell.column });
    return this.#move(line, column);
  }

  #line(index: number): string {
    return this.#lines[index]?.text ?? "";
  }

  #snapshot(): Snapshot {
    return { lines: this.#lines, cursor: this.cursor };
  }

  #forget(): TextBuffer {
    return new TextBuffer(this.#lines, this.cursor, NO_PAST);
  }

  #move(line: number, column: number): TextBuffer {
    if (line === this.cursor.line && column === this.cursor.column) return this;
    return new TextBuffer(this.#lines, { line, column }, { ...this.#past, typing: false });
  }

  #at(offset: number): Position {
    let rest = Math.max(0, offset);
    for (let line = 0; line < this.#lines.length; line++) {
      const { length } = this.#line(line);
      if (rest <= length) return { line, column: rest };
      rest -= length + 1;
    }
    return this.end().cursor;
  }

  #delete({ cursor: other }: TextBuffer): TextBuffer {
    const { cursor } = this;
    const backward = other.line < cursor.line || (other.line === cursor.line && other.column < cursor.column);
    if (!backward && other.line === cursor.line && other.column === cursor.column) return this;
    return backward ? this.#splice(other, cursor, "", false) : this.#splice(cursor, other, "", false);
  }

  #splice(from: Position, to: Position, text: string, typing: boolean): TextBuffer {
    const pieces = text.split("\n");
    const [first = "", last = ""] = [pieces[0], pieces[pieces.length - 1]];
    const head = this.#line(from.line).slice(0, from.column);
    const tail = this.#line(to.line).slice(to.column);
    const fresh =
      pieces.length === 1
        ? [bufferLine(head + first + tail)]
        : [bufferLine(head + first), ...pieces.slice(1, -1).map(bufferLine), bufferLine(last + tail)];
    const lines = [...this.#lines.slice(0, from.line), ...fresh, ...this.#lines.slice(to.line + 1)];
    const column = pieces.length === 1 ? head.length + first.length : last.length;
    // Letters typed in a row are one step of undo.
    const undo =
      typing && this.#past.typing ? this.#past.undo : [...this.#past.undo, this.#snapshot()].slice(-MAX_UNDO);
    return new TextBuffer(lines, { line: from.line + pieces.length - 1, column }, { undo, redo: [], typing });
  }
}
