import { composerRows } from "../composer/composer-rows.ts";
import type { Frame } from "../render/frame.ts";
import { homeHead } from "../screens/home/home-head.ts";
import type { ComposerState } from "../state/composer.ts";
import { EMPTY_ROW, row, span, style, wrapSpans } from "../text/index.ts";

const MUTED = style({ fg: "muted" });

export const PLACEHOLDER = "Ask anything · / commands · @ files";
/** The composer grows up to this many rows of text. */
const MAX_COMPOSER_ROWS = 10;
/** Nothing useful can be drawn in a smaller terminal. */
const MIN_COLUMNS = 24;
const MIN_ROWS = 5;

export type Size = { readonly columns: number; readonly rows: number };

/** Home's first frame, drawn before anything else is loaded; looks like Ink's Home in the rows that both draw. */
export function firstFrame(
  size: Size,
  composer: ComposerState,
  { version, cwd }: { version: string; cwd: string },
): Frame {
  const small = tooSmallFrame(size);
  if (small) return small;
  const { columns, rows } = size;
  const input = composerRows(composer, {
    columns,
    maxRows: maxComposerRows(size),
    placeholder: PLACEHOLDER,
    inactive: false,
  });
  const head = homeHead({ version, cwd }, size);
  const top = rows - input.rows.length - 1;
  const blank = Array.from({ length: Math.max(0, top - head.length) }, () => EMPTY_ROW);
  return {
    rows: [...head, ...blank, ...input.rows, row(span(" starting…", MUTED))],
    cursor: input.cursor && { x: input.cursor.x, y: input.cursor.y + top },
  };
}

/** The composer never takes more than half of the screen. */
export function maxComposerRows({ rows }: Size): number {
  return Math.max(1, Math.min(MAX_COMPOSER_ROWS, Math.floor(rows / 2) - 2));
}

/** True if nothing is drawn in this terminal; then no key has an effect either. */
export function isTooSmall({ columns, rows }: Size): boolean {
  return columns < MIN_COLUMNS || rows < MIN_ROWS;
}

/** A sentence instead of garbage; undefined if there is enough room. */
export function tooSmallFrame({ columns, rows }: Size): Frame | undefined {
  if (!isTooSmall({ columns, rows })) return undefined;
  const text = `The terminal is too small (${columns}×${rows}): harness needs ${MIN_COLUMNS}×${MIN_ROWS}.`;
  return { rows: wrapSpans([span(text)], Math.max(1, columns)) };
}
