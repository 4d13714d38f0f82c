import { isDecided, NO_PROGRESS, type ReviewProgress } from "@harness/client/actions";
import type { ReviewHunk } from "@harness/protocol";
import type { PermissionDialog } from "../../state/dialogs.ts";
import {
  EMPTY_ROW,
  prefixRows,
  type Row,
  row,
  type Span,
  span,
  style,
  truncateRow,
  visible,
  wrapSpans,
} from "../../text/index.ts";
import { titledFrame } from "../../widgets/boxes.ts";
import { fieldRows } from "../../widgets/field-rows.ts";
import { type DialogPlace, isLowScreen } from "../dialog-place.ts";
import { type BodyView, bodyView, restRows } from "../scroll-body.ts";

const MUTED = style({ fg: "muted" });
const MARKED = style({ fg: "accent", bold: true });
const BOLD = style({ bold: true });
const TAKEN = style({ fg: "success" });
const REJECTED = style({ fg: "error" });
/** Borders and padding at both sides. */
const MARGIN = 4;
/** Borders, status, composer, HUD, a row of the transcript, and the rows of keys. */
const OTHER = 11;
const LOW_OTHER = 5;
/** Rows of the queue around the change in view. */
const MAX_QUEUE = 5;

export type ReviewLayout = BodyView & { readonly queue: readonly Row[] };

/** The part of a review that fits: the queue around the change in view, and that change. */
export function reviewLayout(dialog: PermissionDialog, place: DialogPlace): ReviewLayout {
  const { review = [] } = dialog.permission;
  const progress = dialog.review ?? NO_PROGRESS;
  const width = place.columns - MARGIN;
  const free = place.rows - (isLowScreen(place) ? LOW_OTHER : OTHER);
  const queue = queueRows(review, progress, { width, room: Math.max(1, Math.min(MAX_QUEUE, free - 4)) });
  const hunk = review[progress.at];
  const body = hunk ? hunkRows(hunk, progress.answers.get(hunk.hunkId)?.text ?? hunk.after, width) : [];
  return { queue, ...bodyView(body, dialog.scroll, Math.max(1, free - queue.length)) };
}

/** Which changes of the agent go into the files? */
export function reviewRows(dialog: PermissionDialog, place: DialogPlace): Row[] {
  const { permission, armed, feedback, review: progress = NO_PROGRESS } = dialog;
  const { review = [] } = permission;
  const layout = reviewLayout(dialog, place);
  const columns = place.columns - MARGIN;
  const keys = feedback
    ? fieldRows({ label: "Why not: ", buffer: feedback, columns, hint: "Enter rejects it · Esc goes back" })
    : keyRows(isDecided(permission, progress), place, columns);
  const rows = [...layout.queue, EMPTY_ROW, ...layout.shown, ...restRows(layout, { tooEarly: false })];
  const shownKeys = armed ? keys : keys.map((_, at) => row(span(at === 0 ? "…" : " ")));
  const taken = [...progress.answers.values()].filter(({ take }) => take).length;
  const files = new Set(review.map(({ path }) => path)).size;
  const end = `${taken} taken · ${progress.answers.size - taken} rejected · ${review.length - progress.answers.size} open`;
  return titledFrame([...rows, ...shownKeys], {
    role: "accent",
    columns: place.columns,
    title: visible(`Review ${amount(review.length, "change")} in ${amount(files, "file")}`, BOLD),
    end: [span(end, MUTED)],
  });
}

function amount(count: number, noun: string): string {
  return count === 1 ? `1 ${noun}` : `${count} ${noun}s`;
}

function keyRows(isDone: boolean, { isWriting }: DialogPlace, width: number): Row[] {
  if (isWriting) return [row(span("Your keys go to the message below. Esc: review", style({ fg: "info" })))];
  const own = "y take · n reject · w reject and say why · e edit · ↑↓ choose";
  const all = "a take the rest · x reject the rest · Esc later, stops the turn";
  const last = isDone ? span("Enter writes what is taken", MARKED) : span("Enter takes this one", MUTED);
  return [...wrapSpans([span(own)], width), ...wrapSpans([span(all)], width), row(last)];
}

function queueRows(
  review: readonly ReviewHunk[],
  { at, answers }: ReviewProgress,
  { width, room }: { width: number; room: number },
): Row[] {
  const from = Math.max(0, Math.min(at - Math.floor(room / 2), review.length - room));
  return review.slice(from, from + room).map((hunk, index) => {
    const isMarked = from + index === at;
    const answer = answers.get(hunk.hunkId);
    const state: Span = !answer ? span("· ", MUTED) : answer.take ? span("✓ ", TAKEN) : span("✗ ", REJECTED);
    const words = answer?.feedback ? visible(`  “${answer.feedback}”`, MUTED) : [];
    const edited = answer?.text === undefined ? [] : [span("  edited", MUTED)];
    const look = isMarked ? MARKED : undefined;
    return truncateRow(
      row(span(isMarked ? "› " : "  ", MARKED), state, ...visible(placeOf(hunk), look), ...edited, ...words),
      width,
    );
  });
}

function placeOf({ path, change, line }: ReviewHunk): string {
  if (change === "create") return `${path}  new file`;
  return change === "delete" ? `${path}  deleted` : `${path}:${line}`;
}

function hunkRows({ before, change }: ReviewHunk, after: string, width: number): Row[] {
  return [...lineRows(before, "-", width), ...(change === "delete" && after === "" ? [] : lineRows(after, "+", width))];
}

function lineRows(text: string, sign: "-" | "+", width: number): Row[] {
  if (text === "") return [];
  const look = style({ fg: sign === "+" ? "added" : "removed" });
  const lines = text.replace(/\n$/, "").split("\n");
  return lines.flatMap((line) =>
    prefixRows(
      wrapSpans(visible(line.replace(/\r$/, ""), look), width - 2, "hard"),
      [span(`${sign} `, look)],
      [span("┊ ", look)],
    ),
  );
}
