import type { SessionHit, SessionSummary } from "@harness/protocol";
import {
  EMPTY_ROW,
  type Row,
  row,
  type Span,
  sanitiseLine,
  span,
  stringWidth,
  style,
  truncateRow,
} from "../../../text/index.ts";
import { spread } from "../../../widgets/boxes.ts";
import { ago, formatCount } from "../../../widgets/list-slice.ts";
import { askedOf, type HistoryState, isFound, listedEntries } from "../state.ts";
import { isFullText } from "../stored/asked-sessions.ts";
import type { HistoryEntry } from "../stored/entries.ts";
import { fromFoundWord, markedSpans, queryWords } from "../stored/found-words.ts";
import { programNames } from "../stored/importable.ts";

const MUTED = style({ fg: "muted" });
const PLAIN = style({});
const SELECTED = style({ fg: "accent", bold: true });
const MARK = style({ fg: "success", bold: true });
/** Underlined too, for terminals without colours. */
const FOUND = style({ fg: "warning", bold: true, underline: true });
const LIVE = style({ fg: "accent" });
/** The cells of the selection and of the mark, before the title. */
export const MARK_COLUMNS = 4;
/** A narrower list leaves out counts, */
const ROOMY = 56;
/** and this one the folders of sessions. Until it is roomy, their names are shorter. */
const FOLDERS = 36;
const FOLDER_COLUMNS = 24;
const SHORT_FOLDER_COLUMNS = 12;
/** The most of a row that its end may take. */
const END_SHARE = 0.6;

const speakers: Readonly<Record<SessionHit["kind"], string>> = {
  message: "you: ",
  answer: "",
  command: "ran: ",
  file: "file: ",
};

/** How many rows an entry takes: a passage stands below the title of its session. */
function heightOf({ hit, isHead }: HistoryEntry): number {
  return hit && isHead ? 2 : 1;
}

/** The first entry in view: as before, as far as the selected one is in view then. */
export function topOf(history: HistoryState, rows: number): number {
  const entries = listedEntries(history);
  const lastTop = topShowing(entries, entries.length - 1, rows);
  const top = Math.max(0, Math.min(history.top, lastTop));
  if (history.wheeled) return top;
  const { selected } = history;
  if (selected < top) return selected;
  return Math.max(top, topShowing(entries, selected, rows));
}

/** The least entry from which this one is in view to its end. */
function topShowing(entries: readonly HistoryEntry[], index: number, rows: number): number {
  let left = rows;
  for (let at = index; at >= 0; at -= 1) {
    const entry = entries[at];
    left -= entry ? heightOf(entry) : 0;
    if (left < 0) return Math.min(index, at + 1);
  }
  return 0;
}

/** The entry in a row of the list; undefined: the row is empty. */
export function entryAt(history: HistoryState, rows: number, y: number): number | undefined {
  const entries = listedEntries(history);
  let below = y;
  for (let at = topOf(history, rows); at < entries.length; at += 1) {
    const entry = entries[at];
    below -= entry ? heightOf(entry) : 0;
    if (below < 0) return at;
  }
  return undefined;
}

/** How many sessions are above and below those in view. */
export function beyond(history: HistoryState, rows: number): { above: number; below: number } {
  const entries = listedEntries(history);
  const top = topOf(history, rows);
  let end = top;
  for (let left = rows; end < entries.length; end += 1) {
    const entry = entries[end];
    left -= entry ? heightOf(entry) : 0;
    if (left < 0) break;
  }
  const isList = !history.importable && isFound(history) && !isFullText(askedOf(history));
  const unread = isList ? Math.max(0, history.total - (history.sessions?.length ?? 0)) : 0;
  return { above: top, below: entries.length - end + unread };
}

type Look = { readonly columns: number; readonly rows: number; readonly nowMs: number };

/** The rows of the list that are in view; nothing is made for the others. */
export function sessionListRows(history: HistoryState, { columns, rows, nowMs }: Look): Row[] {
  const entries = listedEntries(history);
  const words = queryWords(askedOf(history).words);
  const drawn: Row[] = [];
  for (let at = topOf(history, rows); at < entries.length && drawn.length < rows; at += 1) {
    const entry = entries[at];
    if (!entry) break;
    const look = { ...rowLook(history, entry, at), words, columns, nowMs, isEverywhere: history.folder === undefined };
    if (entry.isHead) drawn.push(headRow(entry, look));
    if (entry.hit) drawn.push(passageRow(entry.hit, look));
  }
  return Array.from({ length: rows }, (_, at) => drawn[at] ?? EMPTY_ROW);
}

type RowLook = {
  readonly isSelected: boolean;
  readonly isMarked: boolean;
  readonly words: readonly string[];
  readonly columns: number;
  readonly nowMs: number;
  readonly isEverywhere: boolean;
};

function rowLook(history: HistoryState, entry: HistoryEntry, at: number) {
  return { isSelected: at === history.selected, isMarked: history.marked.has(entry.session.sessionId) };
}

function headRow(entry: HistoryEntry, look: RowLook): Row {
  const { session, branch, forks, isFolded } = entry;
  const { isSelected, isMarked, words, columns } = look;
  const name = sanitiseLine(session.name) || session.sessionId;
  const fold = forks === 0 ? "" : isFolded ? "▸ " : "▾ ";
  const left = [
    span(isSelected ? "› " : "  ", SELECTED),
    span(isMarked ? "✓ " : "  ", MARK),
    span(`${branch}${fold}`, MUTED),
    ...markedSpans(name, words, isSelected ? SELECTED : PLAIN, FOUND),
  ];
  return spread(left, endOf(entry, look), columns);
}

function endOf({ session, hits, forks, isFolded, importable }: HistoryEntry, look: RowLook): readonly Span[] {
  const { columns, nowMs, isEverywhere } = look;
  const { summary } = session;
  const live = summary && summary.state !== "stored" ? (liveWords[summary.state] ?? "") : "";
  const isRoomy = columns >= ROOMY;
  const counts = [
    ...(importable ? [programNames[importable.from]] : []),
    ...((isEverywhere || importable) && columns >= FOLDERS
      ? [folderName(session.folder, isRoomy ? FOLDER_COLUMNS : SHORT_FOLDER_COLUMNS)]
      : []),
    ...(isFolded ? [formatCount(forks, "fork")] : []),
    ...(hits > 1 ? [`${hits} matches`] : []),
    ...(isRoomy && hits === 0 && summary ? [formatCount(summary.turns, "turn")] : []),
    ...(isRoomy && summary && summary.subagents > 0 ? [formatCount(summary.subagents, "agent")] : []),
    ...(isRoomy || hits < 2 ? [summary?.deleted ? daysLeft(summary.deleted) : ago(session.at, nowMs)] : []),
  ].filter((each) => each !== "");
  const text = span(`  ${counts.join(" · ")}`, MUTED);
  const spans = live === "" ? [text] : [span(`  ${live}`, LIVE), span(` · ${counts.join(" · ")}`, MUTED)];
  return truncateRow(row(...spans), Math.floor(columns * END_SHARE)).spans;
}

function daysLeft({ daysLeft: days }: NonNullable<SessionSummary["deleted"]>): string {
  return days === 0 ? "goes today" : `${formatCount(days, "day")} left`;
}

const liveWords: Readonly<Record<string, string>> = {
  running: "working",
  requires_action: "asks you",
  waiting: "working",
  idle: "open",
};

function folderName(folder: string, columns: number): string {
  const name =
    sanitiseLine(folder)
      .split(/[\\/]/)
      .findLast((part) => part !== "") ?? "";
  return stringWidth(name) > columns ? `${name.slice(0, columns - 1)}…` : name;
}

function passageRow({ kind, agentId, excerpt }: SessionHit, { isSelected, words, columns }: RowLook): Row {
  const who = agentId === "main" ? speakers[kind] : `${sanitiseLine(agentId)} ${speakers[kind]}`;
  const room = columns - MARK_COLUMNS - stringWidth(who) - 4;
  const spans = [
    span(isSelected ? "›   " : "    ", SELECTED),
    span(`  ${who}`, MUTED),
    ...markedSpans(fromFoundWord(sanitiseLine(excerpt), words, room), words, isSelected ? PLAIN : MUTED, FOUND),
  ];
  return truncateRow(row(...spans), columns);
}
