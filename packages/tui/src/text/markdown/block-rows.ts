import type { MarkedToken, Token, Tokens } from "marked";
import { dropHidden } from "../hidden-characters.ts";
import { EMPTY_ROW, overlay, PLAIN, type Row, type Span, type Style, style } from "../style.ts";
import { expandTabs } from "../tabs.ts";
import { prefixRow, prefixRows, wrapSpans } from "../wrap.ts";
import type { DrawingCode } from "./drawing-code.ts";
import { type NoteToken, noteMark, type OwnToken } from "./extensions.ts";
import { highlight, languageOf } from "./highlighter.ts";
import { inlineLines } from "./inline.ts";
import { tableRows } from "./table-rows.ts";

const HEADING = style({ fg: "heading", bold: true });
const FIRST_HEADING = style({ fg: "heading", bold: true, underline: true });
const QUOTE = style({ fg: "quote", italic: true });
const BAR: Span = { text: "▎ ", style: style({ fg: "border" }) };
const RULE = style({ fg: "border" });
const MARKER = style({ fg: "accent" });
const MUTED = style({ fg: "muted" });
const BULLETS = ["•", "◦", "▪"];
const CODE_INDENT: Span = { text: "  ", style: PLAIN };
const CODE_TAB = 4;
/** Quotes and lists beyond this depth are drawn as plain text. */
const MAX_DEPTH = 12;

type BlockRowOptions = { width: number; base: Style; depth: number; code: DrawingCode };

function wrapLines(lines: readonly (readonly Span[])[], width: number): Row[] {
  return lines.flatMap((line) => wrapSpans(line, width));
}

/** Code, cut at the width and never at words; its own blanks are kept. */
export function codeRows(lines: readonly (readonly Span[])[], width: number): Row[] {
  const inner = Math.max(1, width - CODE_INDENT.text.length);
  return lines.flatMap((line) => {
    const clean = line.map((each) => ({ text: dropHidden(each.text), style: each.style }));
    return prefixRows(wrapSpans(expandTabs(clean, CODE_TAB), inner, "hard"), [CODE_INDENT], [CODE_INDENT]);
  });
}

function heading(token: Tokens.Heading, { width, base }: BlockRowOptions): Row[] {
  return wrapLines(inlineLines(token.tokens, overlay(base, token.depth === 1 ? FIRST_HEADING : HEADING)), width);
}

function quote(token: Tokens.Blockquote, { width, base, depth, code }: BlockRowOptions): Row[] {
  const inner = { width: Math.max(1, width - BAR.text.length), base: overlay(base, QUOTE), depth: depth + 1, code };
  return prefixRows(blockRows(token.tokens, inner), [BAR], [BAR]);
}

function list(token: Tokens.List, { width, base, depth, code }: BlockRowOptions): Row[] {
  const first = typeof token.start === "number" ? token.start : 1;
  const last = first + token.items.length - 1;
  const numbers = token.ordered ? String(last).length + 2 : 2;
  const rows: Row[] = [];
  for (const [index, item] of token.items.entries()) {
    const bullet = item.task ? (item.checked ? "☑" : "☐") : (BULLETS[depth % BULLETS.length] ?? "•");
    const label = token.ordered ? `${first + index}.`.padStart(numbers - 1) : bullet;
    const box = token.ordered && item.task ? `${item.checked ? "☑" : "☐"} ` : "";
    const lead: Span = { text: `${label} ${box}`, style: overlay(base, MARKER) };
    const indent = numbers + box.length;
    const inner = blockRows(item.tokens, { width: Math.max(1, width - indent), base, depth: depth + 1, code });
    const shown = token.loose ? inner : inner.filter((row) => row !== EMPTY_ROW);
    const blank: Span = { text: " ".repeat(indent), style: PLAIN };
    for (const [at, row] of (shown.length > 0 ? shown : [EMPTY_ROW]).entries()) {
      // The indent of a nested list is part of its text.
      if (at > 0 && !row.copy) rows.push({ ...row, spans: [blank, ...row.spans] });
      else rows.push(prefixRow(row, [at === 0 ? lead : blank]));
    }
    if (token.loose && index + 1 < token.items.length) rows.push(EMPTY_ROW);
  }
  return rows;
}

function table(token: Tokens.Table, { width, base }: BlockRowOptions): Row[] {
  const cell = ({ tokens }: Tokens.TableCell, look: Style): Span[] => inlineLines(tokens, look).flat();
  const cells = {
    header: token.header.map((each) => cell(each, overlay(base, style({ bold: true })))),
    rows: token.rows.map((row) => row.map((each) => cell(each, base))),
    align: token.align,
  };
  return tableRows(cells, width);
}

function plain(text: string, { width, base }: BlockRowOptions, look: Style = PLAIN): Row[] {
  const lines = text.replace(/\n+$/, "").split("\n");
  return wrapLines(
    lines.map((line) => expandTabs([{ text: dropHidden(line), style: overlay(base, look) }], CODE_TAB)),
    width,
  );
}

/** A footnote: its number, and its text beside it. */
function note({ label, tokens }: NoteToken, { width, base }: BlockRowOptions): Row[] {
  const mark = dropHidden(`${noteMark(label)} `);
  const rows = wrapLines(inlineLines(tokens, base), Math.max(1, width - mark.length));
  return prefixRows(
    rows,
    [{ text: mark, style: overlay(base, MARKER) }],
    [{ text: " ".repeat(mark.length), style: PLAIN }],
  );
}

function tokenRows(token: MarkedToken | OwnToken, options: BlockRowOptions): Row[] {
  if (options.depth > MAX_DEPTH) return plain(token.raw, options);
  switch (token.type) {
    case "heading":
      return heading(token, options);
    case "paragraph":
      return wrapLines(inlineLines(token.tokens, options.base), options.width);
    case "text":
      return wrapLines(inlineLines(token.tokens ?? [token], options.base), options.width);
    case "list":
      return list(token, options);
    case "blockquote":
      return quote(token, options);
    case "code":
      return codeRows(highlight(token.text, languageOf(token.lang ?? ""), options.code), options.width);
    case "note":
      return note(token, options);
    case "table":
      return table(token, options);
    case "hr":
      return [{ spans: [{ text: "─".repeat(options.width), style: RULE }] }];
    case "html":
    case "def":
      return plain(token.raw, options, MUTED);
    case "space":
    case "checkbox":
      return [];
    default:
      return plain(token.raw, options);
  }
}

/** Blocks below each other, with an empty row between two. */
function blockRows(tokens: readonly Token[], options: BlockRowOptions): Row[] {
  const rows: Row[] = [];
  for (const token of tokens) {
    const own = tokenRows(token as MarkedToken | OwnToken, options);
    if (own.length === 0) continue;
    if (rows.length > 0) rows.push(EMPTY_ROW);
    rows.push(...own);
  }
  return rows;
}

/** Blocks outside lists and quotes. */
export function documentRows(tokens: readonly Token[], width: number, code: DrawingCode): Row[] {
  return blockRows(tokens, { width, base: PLAIN, depth: 0, code });
}
