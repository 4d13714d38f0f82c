import {
  prefixRows,
  type Row,
  row,
  type Span,
  span,
  spansWidth,
  style,
  visible,
  visibleText,
  wrapSpans,
} from "../../text/index.ts";
import type { OfferedAnswer } from "./offered-answers.ts";

const MUTED = style({ fg: "muted" });
const KEY = style({ fg: "accent" });
const MARKED = style({ fg: "accent", bold: true });
/** On a narrower screen answers are single words. */
const NARROW_COLUMNS = 60;
const MARK = "› ";

export type Answers = {
  /** Each in a row, or all in one. */
  readonly rows: readonly Row[];
  /** Answers whose rows are too short for their full text. */
  readonly cut: readonly OfferedAnswer[];
};

type AnswerRowOptions = {
  readonly width: number;
  readonly maxRows: number;
  /** The answer that Enter gives; undefined: the keys go elsewhere. */
  readonly marked: number | undefined;
  /** The name of that key; undefined: it has none. */
  readonly enter?: string | undefined;
};

/** Each answer in its own rows, at most `maxRows`; longer texts are left to the body. */
export function answerList(
  answers: readonly OfferedAnswer[],
  { width, maxRows, marked, enter }: AnswerRowOptions,
): Answers {
  const keyColumns = Math.max(...answers.map(({ key }) => key.length)) + 2;
  const cut: OfferedAnswer[] = [];
  const rows = answers.flatMap((answer, at) => {
    const { key, name, short } = answer;
    const isMarked = at === marked;
    const lead = [
      isMarked ? span(MARK, MARKED) : span("  "),
      span(key.padEnd(keyColumns), marked === undefined ? MUTED : KEY),
    ];
    const look = isMarked ? style({ bold: true }) : marked === undefined ? MUTED : undefined;
    const room = Math.max(8, width - MARK.length - keyColumns);
    const own = wrapSpans(visible(name, look), room);
    const wrapped = isMarked ? withEnter(own, enter, room) : own;
    const blank = span(" ".repeat(MARK.length + keyColumns));
    if (wrapped.length <= maxRows) return prefixRows(wrapped, lead, [blank]);
    cut.push(answer);
    return [row(...lead, ...visible(short, look), span(" (as said above)", MUTED))];
  });
  return { rows, cut };
}

/** All answers as single words in one row or in `maxRows`; else only their keys. A key is never cut. */
export function answerLine(
  answers: readonly OfferedAnswer[],
  { width, maxRows, marked, enter }: AnswerRowOptions,
): Answers {
  const items = answers.map(({ key, short }, at) => item(`${key} ${short}`.trim(), at === marked));
  const lines = packed(items, width, " · ");
  const keys = packed(
    answers.map(({ key, short }, at) => item(key === "" ? short : key, at === marked)),
    width,
    " ",
  );
  const cut = answers.filter(({ name }) => visibleText(name).length > "Deny and say why…".length);
  const rows = lines.length > maxRows ? keys : lines;
  return { rows: marked === undefined ? rows : withEnter(rows, enter, width), cut };
}

/** Appends the key that gives the marked answer to the last row if there is room: the others only mark. */
function withEnter(rows: readonly Row[], enter: string | undefined, room: number): readonly Row[] {
  const last = rows.at(-1);
  const words = span(` · ${enter ?? ""}`, MUTED);
  if (enter === undefined || !last || spansWidth([...last.spans, words]) > room) return rows;
  return rows.with(-1, row(...last.spans, words));
}

/** The end of the body: the full texts of answers, with their keys, that did not fit above. */
export function cutRows(cut: readonly OfferedAnswer[], width: number): Row[] {
  return cut.flatMap(({ key, name }) => {
    const lead = key === "" ? "• " : `${key}  `;
    return prefixRows(wrapSpans(visible(name), Math.max(1, width - lead.length)), [span(lead, MUTED)], [span("   ")]);
  });
}

function item(text: string, isMarked: boolean): Span {
  return isMarked ? span(`›${text}`, MARKED) : span(text);
}

/** Uses as few rows as possible. */
function packed(items: readonly Span[], width: number, separator: string): Row[] {
  const lines: Span[][] = [];
  for (const each of items) {
    const last = lines.at(-1);
    const longer = last && [...last, span(separator, MUTED), each];
    if (longer && spansWidth(longer) <= width) lines[lines.length - 1] = longer;
    else lines.push([each]);
  }
  return lines.map((spans) => row(...spans));
}

export function isNarrow(columns: number): boolean {
  return columns < NARROW_COLUMNS;
}
