import {
  prefixRows,
  type Row,
  row,
  type Span,
  span,
  spansWidth,
  stringWidth,
  style,
  visible,
  visibleText,
  wrapSpans,
} from "../../text/index.ts";
import { fullText, type OfferedAnswer } from "./offered-answers.ts";

const MUTED = style({ fg: "muted" });
const KEY = style({ fg: "accent" });
const MARKED = style({ fg: "accent", bold: true });
const MARK = "› ";
/** Between two answers in one row. */
const GAP = "    ";

export type Answers = {
  readonly rows: readonly Row[];
  /** Lasting answers whose full name did not fit. */
  readonly cut: readonly OfferedAnswer[];
};

type AnswerRowOptions = {
  readonly width: number;
  /** The answer that Enter gives; undefined: the keys go elsewhere. */
  readonly marked: number | undefined;
  /** The name of that key; undefined: it has none. */
  readonly enter?: string | undefined;
};

/** Each answer in one row, in the longest form that fits; the row for more goes beside the last one if it can. */
export function answerList(answers: readonly OfferedAnswer[], { width, marked, enter }: AnswerRowOptions): Answers {
  const keyColumns = columnsOfKeys(answers);
  const cut: OfferedAnswer[] = [];
  const rows: Row[] = [];
  for (const [at, answer] of answers.entries()) {
    const before = answer.act.do === "more" ? rows.at(-1) : undefined;
    const beside =
      before && besideRow(before, answer, { width, isMarked: at === marked, isActive: marked !== undefined });
    if (beside) {
      rows[rows.length - 1] = beside;
      continue;
    }
    const room = Math.max(1, width - MARK.length - keyColumns);
    const name = answer.names.find((each) => stringWidth(visibleText(each)) <= room) ?? answer.names.at(-1) ?? "";
    if (answer.lasts && name !== answer.names[0]) cut.push(answer);
    rows.push(row(...leadOf(answer, { at, marked, keyColumns }), ...visible(name, lookOf(at, marked))));
  }
  const last = rows.findIndex(({ spans }) => spans.some(({ style: look }) => look === MARKED));
  return { rows: last < 0 ? rows : rows.with(last, withEnter(rows[last] ?? row(), enter, width)), cut };
}

/** All answers as single words in one row or in `maxRows`; else only their keys. A key is never cut. */
export function answerLine(
  answers: readonly OfferedAnswer[],
  { width, maxRows, marked, enter }: AnswerRowOptions & { readonly maxRows: number },
): Answers {
  const items = answers.map(({ key, short }, at) => item(`${key} ${short}`.trim(), at === marked));
  const lines = packed(items, width, " · ");
  const keys = packed(
    answers.map(({ key, short }, at) => item(key === "" ? short : key, at === marked)),
    width,
    " ",
  );
  const rows = lines.length > maxRows ? keys : lines;
  const cut = answers.filter(({ lasts }) => lasts);
  const [last] = rows.slice(-1);
  return { rows: marked === undefined || !last ? rows : rows.with(-1, withEnter(last, enter, width)), cut };
}

/** Each answer in full, in as many rows as it needs; the part of them that shows the marked one. */
export function fullAnswers(
  answers: readonly OfferedAnswer[],
  { width, room, marked }: { width: number; room: number; marked: number },
): Row[] {
  const keyColumns = columnsOfKeys(answers);
  const inner = Math.max(1, width - MARK.length - keyColumns);
  const all = answers.map((answer, at) =>
    prefixRows(
      wrapSpans(visible(fullText(answer), lookOf(at, marked)), inner),
      leadOf(answer, { at, marked, keyColumns }),
      [span(" ".repeat(MARK.length + keyColumns))],
    ),
  );
  const from = all.slice(0, marked).flat().length;
  const end = from + (all[marked]?.length ?? 0);
  // A longer answer is shown from its beginning.
  const first = Math.min(from, Math.max(0, end - room));
  return all.flat().slice(first, first + room);
}

function columnsOfKeys(answers: readonly OfferedAnswer[]): number {
  return Math.max(0, ...answers.map(({ key }) => key.length)) + 2;
}

type AnswerLead = { at: number; marked: number | undefined; keyColumns: number };

function leadOf({ key }: OfferedAnswer, { at, marked, keyColumns }: AnswerLead): Span[] {
  const mark = at === marked ? span(MARK, MARKED) : span("  ");
  return [mark, span(key.padEnd(keyColumns), marked === undefined ? MUTED : KEY)];
}

function lookOf(at: number, marked: number | undefined): Span["style"] | undefined {
  if (at === marked) return style({ bold: true });
  return marked === undefined ? MUTED : undefined;
}

/** An answer at the end of the row above it; undefined: there is no room, whatever its form. */
function besideRow(
  { spans }: Row,
  { key, names }: OfferedAnswer,
  { width, isMarked, isActive }: { width: number; isMarked: boolean; isActive: boolean },
): Row | undefined {
  const lead = [span(GAP), isMarked ? span(MARK, MARKED) : span(""), span(`${key}  `, isActive ? KEY : MUTED)];
  const look = isMarked ? style({ bold: true }) : MUTED;
  return names
    .map((name) => row(...spans, ...lead, ...visible(name, look)))
    .find((each) => spansWidth(each.spans) <= width);
}

/** Appends the key that gives the marked answer if there is room: the others only mark. */
function withEnter({ spans }: Row, enter: string | undefined, room: number): Row {
  const words = span(` · ${enter ?? ""}`, MUTED);
  return enter === undefined || spansWidth([...spans, words]) > room ? row(...spans) : row(...spans, words);
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
