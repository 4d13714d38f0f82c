import { highlight } from "../../text/markdown/highlighter.ts";
import { overlay, PLAIN, type Span, style } from "../../text/style.ts";
import { expandTabs } from "../../text/tabs.ts";
import type { Tint } from "../../theme/theme.ts";
import type { BlockContext } from "../block-context.ts";
import type { TextRange } from "./changed-words.ts";
import type { DiffLine, DiffSide } from "./diff-lines.ts";

const TAB = 4;

/** The tint of a line, and the one for its changed words. */
export const tintOf: Record<"+" | "-", { line: Tint; word: Tint }> = {
  "+": { line: "addedLine", word: "addedWord" },
  "-": { line: "removedLine", word: "removedWord" },
};

/** The file's lines before and after the change, each with the highlighting of its language. */
export function colouredLines(
  lines: readonly DiffLine[],
  path: string,
  { code }: Pick<BlockContext, "code">,
): ReadonlyMap<DiffLine, readonly Span[]> {
  const found = new Map<DiffLine, readonly Span[]>();
  const language = languageOfPath(path);
  if (language === "") return found;
  for (const side of ["-", "+"] as const) {
    // A hunk is highlighted as a whole, so that a comment or string over several lines stays one.
    for (const hunk of hunksOf(lines, side)) {
      const spans = highlight(hunk.map(({ text }) => text).join("\n"), language, code);
      for (const [index, line] of hunk.entries()) found.set(line, spans[index] ?? []);
    }
  }
  return found;
}

function hunksOf(lines: readonly DiffLine[], side: "+" | "-"): DiffSide[][] {
  const hunks: DiffSide[][] = [[]];
  for (const line of lines) {
    if (!("mark" in line)) hunks.push([]);
    else if (line.mark === " " || line.mark === side) hunks.at(-1)?.push(line);
  }
  return hunks.filter(({ length }) => length > 0);
}

function languageOfPath(path: string): string {
  const name = path.slice(path.lastIndexOf("/") + 1);
  const dot = name.lastIndexOf(".");
  return (dot < 0 ? name : name.slice(dot + 1)).toLowerCase();
}

/** The text of a line with its tint, and the words that changed. */
export function lineSpans(
  side: DiffSide,
  coloured: readonly Span[] | undefined,
  changed: readonly TextRange[] = [],
): readonly Span[] {
  return expandTabs(tintedSpans(side, coloured, changed), TAB);
}

/** The same with tabs as they are. */
export function tintedSpans(
  { mark, text }: DiffSide,
  coloured: readonly Span[] | undefined,
  changed: readonly TextRange[],
): readonly Span[] {
  const spans = coloured ?? [{ text, style: PLAIN }];
  if (mark === " ") return spans;
  const tint = tintOf[mark];
  const [line, word] = [style({ bg: tint.line }), style({ bg: tint.word })];
  const marked: Span[] = [];
  let offset = 0;
  for (const span of spans) {
    for (const [from, to] of clipRanges(offset, offset + span.text.length, changed)) {
      const isWord = changed.some((each) => each.from <= from && to <= each.to);
      const part = span.text.slice(from - offset, to - offset);
      marked.push({ text: part, style: overlay(span.style, isWord ? word : line) });
    }
    offset += span.text.length;
  }
  return marked;
}

/** Splits a range into pieces, each inside a changed range or outside all of them. */
function clipRanges(from: number, to: number, changed: readonly TextRange[]): [number, number][] {
  const borders = changed.flatMap((each) => [each.from, each.to]).filter((at) => at > from && at < to);
  const places = [from, ...borders, to];
  return places.slice(1).map((end, index) => [places[index] ?? from, end]);
}
