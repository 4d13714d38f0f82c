import { byteSize } from "@harness/protocol/text";
import { spokenLine } from "../../../figures/spoken-title.ts";
import {
  EMPTY_ROW,
  prefixRows,
  type Row,
  row,
  type Span,
  sanitise,
  sanitiseLine,
  span,
  style,
  textLines,
  truncateRow,
  wrapSpans,
} from "../../../text/index.ts";
import { withoutMarks } from "../../../text/markdown/without-marks.ts";
import { formatCount } from "../../../widgets/list-slice.ts";
import { askedOf, currentEntry, type HistoryState } from "../state.ts";
import type { HistoryEntry } from "../stored/entries.ts";
import { markedSpans, queryWords } from "../stored/found-words.ts";
import { type ImportableSession, programNames } from "../stored/importable.ts";
import type { PreviewGap, PreviewPart } from "../stored/session-preview.ts";

const MUTED = style({ fg: "muted" });
const USER = style({ fg: "user" });
const WARNING = style({ fg: "warning" });
const PLAIN = style({});
const FOUND = style({ fg: "warning", bold: true, underline: true });
/** With fewer rows, the messages need them. */
const ROOMY = 10;
/** Rows above the passage that a preview is about. */
const ABOVE = 2;

/** The preview as rows. `focus`: the row that should be near the top at first. */
type PreviewRows = {
  readonly head: readonly Row[];
  readonly body: readonly Row[];
  readonly focus: number;
  /** The rows of the body that stand for facts that were not read. */
  readonly gaps?: ReadonlyMap<number, PreviewGap>;
};

/** Memo of a pure function: the last preview in its width. */
let last: { of: readonly unknown[]; rows: PreviewRows } | undefined;

function wrappedPreview(history: HistoryState, columns: number, rows: number): PreviewRows {
  const entry = currentEntry(history);
  const isLow = rows < ROOMY;
  const of = [entry, history.preview, askedOf(history).words, columns, isLow];
  if (!last?.of.every((each, at) => each === of[at])) last = { of, rows: made(history, entry, { columns, isLow }) };
  return last.rows;
}

/** The first row of the body in view. */
export function scrollOf(history: HistoryState, columns: number, rows: number): number {
  const { head, body, focus } = wrappedPreview(history, columns, rows);
  const room = Math.max(1, rows - head.length);
  const wanted = history.scroll ?? Math.max(0, focus - ABOVE);
  return Math.max(0, Math.min(wanted, body.length - room));
}

/** How many rows the preview has in all. */
export function previewHeight(history: HistoryState, columns: number, rows: number): number {
  return wrappedPreview(history, columns, rows).body.length;
}

/** The gap that scrolling comes to next: in view, or a screen away. */
export function gapAhead(
  history: HistoryState,
  by: "up" | "down",
  { columns, rows }: { columns: number; rows: number },
): PreviewGap | undefined {
  const { gaps = new Map<number, PreviewGap>() } = wrappedPreview(history, columns, rows);
  const from = scrollOf(history, columns, rows);
  const [first, last] = by === "down" ? [from, from + 2 * rows] : [from - rows, from + rows];
  return [...gaps].find(([row]) => row >= first && row < last)?.[1];
}

/** The rows of the preview that are in view. */
export function shownPreview(history: HistoryState, columns: number, rows: number): Row[] {
  const { head, body } = wrappedPreview(history, columns, rows);
  const from = scrollOf(history, columns, rows);
  const room = Math.max(0, rows - head.length);
  const shown = body.slice(from, from + room);
  const below = body.length - from - room;
  if (below > 0 && shown.length > 1) shown.splice(-1, 1, row(span(`↓ ${formatCount(below + 1, "more row")}`, MUTED)));
  return [...head, ...shown].slice(0, rows);
}

type PreviewLook = { readonly columns: number; readonly isLow: boolean };

function made(history: HistoryState, entry: HistoryEntry | undefined, look: PreviewLook): PreviewRows {
  const { columns, isLow } = look;
  if (!entry || columns < 8) return { head: [], body: [], focus: 0 };
  const head = isLow ? headRows(entry, look) : [...headRows(entry, look), EMPTY_ROW];
  if (history.section === "bin") return { head, body: binnedRows(entry, columns), focus: 0 };
  if (entry.importable) return { head, body: importRows(entry.importable, columns), focus: 0 };
  const { preview } = history;
  const isOfEntry = preview?.sessionId === entry.session.sessionId && preview.at === entry.hit?.seq;
  if (!isOfEntry) return { head, body: [], focus: 0 };
  const words = entry.hit ? queryWords(askedOf(history).words) : [];
  const body: Row[] = [];
  const gaps = new Map<number, PreviewGap>();
  let focus = 0;
  for (const part of preview.parts) {
    if (part.who === "gap") gaps.set(body.length, part);
    const rows = partRows(part, words, columns);
    if (part.who !== "gap" && part.seq === entry.hit?.seq && focus === 0) focus = body.length + foundRow(rows);
    body.push(...rows);
  }
  return { head, body, focus, gaps };
}

/** The beginning and the end of a session in the bin, as far as the list has them. */
function binnedRows({ session: { summary } }: HistoryEntry, columns: number): Row[] {
  if (!summary?.deleted) return [];
  const { preview, answer, deleted, turns } = summary;
  const days = deleted.daysLeft === 0 ? "today" : `in ${formatCount(deleted.daysLeft, "day")}`;
  const said = (who: "user" | "agent", text: string) =>
    text === "" ? [] : partRows({ who, text, seq: 0 }, [], columns);
  return [
    ...wrapSpans([span(`In the bin. It goes for good ${days}.`, WARNING)], columns),
    EMPTY_ROW,
    ...said("user", preview),
    ...(turns > 1 ? [row(span("⋯", MUTED)), EMPTY_ROW] : []),
    ...said("agent", answer ?? ""),
  ];
}

function importRows({ from, bytes }: ImportableSession, columns: number): Row[] {
  const text = `A session of ${programNames[from]} (${byteSize(bytes)}). Importing it makes a new session that the model may read; the file stays as it is.`;
  return wrapSpans([span(text)], columns);
}

/** The first row with a found word. */
function foundRow(rows: readonly Row[]): number {
  return Math.max(
    0,
    rows.findIndex(({ spans }) => spans.some((each) => each.style === FOUND)),
  );
}

/** The facts about a session, on one row each if there is room. */
function headRows({ session }: HistoryEntry, { columns, isLow }: PreviewLook): Row[] {
  const { sessionId, folder, summary } = session;
  const parent = summary?.parent;
  const texts = [
    sessionId,
    sanitiseLine(folder),
    ...(summary?.model ? [sanitiseLine(summary.model)] : []),
    ...(parent ? [`${parent.seq > 0 ? "fork of" : "follows"} ${sanitiseLine(parent.sessionId)}`] : []),
  ];
  const shown = isLow ? [texts.join(" · ")] : texts;
  const rows = shown.map((text) => truncateRow(row(span(text, MUTED)), columns));
  return summary?.damage ? [...rows, ...wrapSpans([span(sanitiseLine(summary.damage), WARNING)], columns)] : rows;
}

function partRows(part: PreviewPart, words: readonly string[], columns: number): Row[] {
  if (part.who === "gap") return [row(span("⋯", MUTED)), EMPTY_ROW];
  if (part.who === "call") {
    const said = spokenLine({ title: part.text, name: "", status: "completed" });
    const spans = markedSpans(said, words, MUTED, FOUND);
    return [truncateRow(row(span("  · ", MUTED), ...spans), columns)];
  }
  const look = part.who === "user" ? USER : PLAIN;
  const lines = part.who === "user" ? textLines(part.text) : textLines(withoutMarks(sanitise(part.text)));
  const first: Span = span(part.who === "user" ? "> " : "  ", look);
  const rows = lines.flatMap((line) => wrapSpans(markedSpans(line, words, look, FOUND), Math.max(1, columns - 2)));
  return [...prefixRows(rows, [first], [span("  ", look)]), EMPTY_ROW];
}
