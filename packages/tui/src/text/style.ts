import type { Role } from "../theme/theme.ts";

/** A role of the theme, an entry of the terminal's 256-colour palette, or an exact colour. */
export type Colour = Role | number | `#${string}`;

export const BOLD = 1;
export const DIM = 2;
export const ITALIC = 4;
export const UNDERLINE = 8;
export const INVERSE = 16;
export const STRIKE = 32;

/** Interned: equal looks are the same object, and `id` is a small dense number. */
export type Style = {
  readonly id: number;
  readonly fg: Colour | undefined;
  readonly bg: Colour | undefined;
  /** BOLD | DIM | ITALIC | UNDERLINE | INVERSE | STRIKE */
  readonly attributes: number;
  /** The address that the terminal opens from this text (OSC 8). */
  readonly link: string | undefined;
};

/** `readonly` throughout: rows are cached and compared by identity. Texts contain no control characters. */
export type Span = { readonly text: string; readonly style: Style };
/** An image that the terminal draws with these bytes over blank cells, from column `x` on. */
export type InlinePicture = {
  readonly x: number;
  readonly columns: number;
  readonly rows: number;
  readonly bytes: string;
};
/** How a row is copied: `margin` cells at its start are the window's, not the text's. */
export type RowCopy = {
  readonly margin: number;
  /** It continues the row above, which ended here only because it was full: the blanks that wrapping took. */
  readonly joined?: string;
  /** It is one of several rows that are copied as this text, if all of them are: a table's with wrapped cells. */
  readonly whole?: { readonly text: string; readonly rows: number };
  /** Texts beside each other: only the one in which a selection begins is copied. */
  readonly sides?: readonly CopiedSide[];
};
/**
 * One of several texts beside each other, in the cells from `from` up to but excluding `to`. `isAbsent`: it has no line in
 * this row.
 */
export type CopiedSide = Pick<RowCopy, "margin" | "joined"> & {
  readonly from: number;
  readonly to: number;
  readonly isAbsent?: boolean;
};
/** One line of the screen. `picture`: the part of an image in this row, and which row of the image it is. */
export type Row = {
  readonly spans: readonly Span[];
  readonly copy?: RowCopy;
  readonly picture?: { readonly picture: InlinePicture; readonly at: number };
};

/** Untrusted output can contain any number of colours; beyond this many styles, new ones lose their colours. */
const MAX_STYLES = 8192;
/** Beyond this many styles a link is drawn as text that cannot be clicked. */
const MAX_LINKED = 4096;

/**
 * Memo of a pure function: equal looks give the same style. Only beyond `MAX_STYLES`, which hostile output can reach
 * but no theme does, does a style depend on earlier ones.
 */
const byKey = new Map<string, Style>();
/** Memo of a pure function: the same styles, by their numbers. */
const byId: Style[] = [];

function intern(fg: Colour | undefined, bg: Colour | undefined, attributes: number, link?: string): Style {
  const key = `${fg ?? ""}|${bg ?? ""}|${attributes}|${link ?? ""}`;
  const known = byKey.get(key);
  if (known) return known;
  if (byId.length >= MAX_STYLES && (fg !== undefined || bg !== undefined))
    return intern(undefined, undefined, attributes);
  // The remaining entries are reserved for colours.
  if (link !== undefined && byId.length >= MAX_LINKED) return intern(fg, bg, attributes);
  const made: Style = Object.freeze({ id: byId.length, fg, bg, attributes, link });
  byId.push(made);
  byKey.set(key, made);
  return made;
}

export const PLAIN: Style = intern(undefined, undefined, 0);

export type StyleOptions = {
  fg?: Colour;
  bg?: Colour;
  bold?: boolean;
  dim?: boolean;
  italic?: boolean;
  underline?: boolean;
  inverse?: boolean;
  strike?: boolean;
  link?: string;
};

function attributesOf(look: StyleOptions): number {
  return (
    (look.bold ? BOLD : 0) |
    (look.dim ? DIM : 0) |
    (look.italic ? ITALIC : 0) |
    (look.underline ? UNDERLINE : 0) |
    (look.inverse ? INVERSE : 0) |
    (look.strike ? STRIKE : 0)
  );
}

export function style(look: StyleOptions): Style {
  return intern(look.fg, look.bg, attributesOf(look), look.link);
}

/** Like `style`, from parts that are already split (the content of an escape sequence). */
export function styleOf(fg: Colour | undefined, bg: Colour | undefined, attributes: number): Style {
  return intern(fg, bg, attributes);
}

/** `over` applied to `base`: its colours win, attributes add up. */
export function overlay(base: Style, over: Style): Style {
  if (base === PLAIN) return over;
  if (over === PLAIN) return base;
  return intern(over.fg ?? base.fg, over.bg ?? base.bg, base.attributes | over.attributes, over.link ?? base.link);
}

export function styleById(id: number): Style {
  return byId[id] ?? PLAIN;
}

export const EMPTY_ROW: Row = Object.freeze({ spans: Object.freeze([]) });

export function row(...spans: Span[]): Row {
  return { spans };
}

export function span(text: string, look: Style = PLAIN): Span {
  return { text, style: look };
}

export function textOfRow({ spans }: Row): string {
  let text = "";
  for (const each of spans) text += each.text;
  return text;
}
