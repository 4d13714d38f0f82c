import { isDecided, NO_PROGRESS, type ReviewProgress } from "@harness/client/actions";
import { type ReviewHunk, ROOT_AGENT } from "@harness/protocol";
import { amount } from "@harness/protocol/text";
import { fieldHint } from "../../keymap/field-keys.ts";
import { relativePath } from "../../render/blocks/relative-path.ts";
import type { PermissionDialog, ReviewChoice } from "../../state/dialogs.ts";
import { EMPTY_ROW, type Row, row, type Span, span, style, truncateRow, visible, wrapSpans } from "../../text/index.ts";
import type { Field } from "../../widgets/line-field.tsx";
import { type DialogLayoutInput, isLowScreen, writingText } from "../dialog-layout-input.ts";
import { type FramedRows, framedRows } from "../framed-rows.ts";
import { unifiedDiffRows } from "../permission/diff-preview.ts";
import { type BodyView, bodyView, restRows } from "../scroll-body.ts";
import { placedDiff } from "./hunk-diff.ts";
import { isConfirmable } from "./review-choice.ts";

const MUTED = style({ fg: "muted" });
const KEY = style({ fg: "accent" });
const MARKED = style({ fg: "accent", bold: true });
const REASON = [span("Why not: ", style({ fg: "accent" }))];
const BOLD = style({ bold: true });
const TAKEN = style({ fg: "success" });
const REJECTED = style({ fg: "error" });
/** Borders and padding on both sides. */
const MARGIN = 4;
/** Rows besides queue, change and keys: borders, a blank one, status, composer and HUD; on a low screen only the borders. */
const OTHER = 8;
const LOW_OTHER = 2;
/** The field for a reason, with its hint. */
const FIELD_ROWS = 2;
/** Rows of the queue around the change in view. */
const MAX_QUEUE = 5;

/** Too narrow for both counts. */
const NARROW_COLUMNS = 64;

/** `hasGap`: a blank row before the keys. */
export type ReviewLayout = BodyView & {
  readonly queue: readonly Row[];
  readonly keys: readonly Row[];
  readonly hasGap: boolean;
};

/** The part of a review that fits: the queue around the change in view, and that change. */
export function reviewLayout(dialog: PermissionDialog, input: DialogLayoutInput): ReviewLayout {
  const { review = [] } = dialog.permission;
  const progress = dialog.review ?? NO_PROGRESS;
  const width = input.columns - MARGIN;
  const isLowest = isLowestScreen(input);
  const keys = keyRows(dialog, input, width);
  const below = dialog.feedback ? Math.max(FIELD_ROWS, keys.length) : keys.length;
  const free = input.rows - (isLowScreen(input) ? LOW_OTHER + (input.hasDraft ? 1 : 0) : OTHER) - below;
  const room = Math.max(1, Math.min(MAX_QUEUE, free - 4));
  // The title counts the changes there.
  const queue = isLowest ? [] : queueRows(review, progress, { width, room, root: input.root });
  const hunk = review[progress.at];
  const body = hunk
    ? unifiedDiffRows(
        { hunks: placedDiff(hunk, progress.answers.get(hunk.hunkId)?.text ?? hunk.after), path: hunk.path },
        { width, code: input.drawing.code },
      )
    : [];
  const left = Math.max(1, free - queue.length);
  const hasGap = !isLowScreen(input) && body.length < left;
  return { queue, keys, hasGap, ...bodyView(body, dialog.scroll, left) };
}

/** The question which of the agent's changes go into the files. */
export function reviewRows(dialog: PermissionDialog, input: DialogLayoutInput): FramedRows {
  const { permission, armed, feedback, tooEarly = false, review: progress = NO_PROGRESS } = dialog;
  const { review = [] } = permission;
  const layout = reviewLayout(dialog, input);
  const hint = row(span(fieldHint({ enter: "rejects it", leave: "goes back" }), MUTED));
  const keys: readonly (Row | Field)[] = feedback ? [{ label: REASON, text: feedback.text }, hint] : layout.keys;
  const rows = [
    ...layout.queue,
    ...(isLowScreen(input) ? [] : [EMPTY_ROW]),
    ...layout.shown,
    ...restRows(layout, { of: "review", keys: input.keys, tooEarly, width: input.columns - MARGIN }),
    ...(layout.hasGap ? [EMPTY_ROW] : []),
  ];
  const shownKeys = armed ? keys : keys.map((_, at) => row(span(at === 0 ? "…" : " ")));
  const taken = [...progress.answers.values()].filter(({ take }) => take).length;
  const files = new Set(review.map(({ path }) => path)).size;
  const decided = progress.answers.size;
  const isNarrow = input.columns < NARROW_COLUMNS;
  const words = `Review ${amount(review.length, "change")} in ${amount(files, "file")}`;
  const counts = `${taken} taken · ${decided - taken} rejected · ${review.length - decided} open`;
  return framedRows([...rows, ...shownKeys], {
    role: "accent",
    columns: input.columns,
    title: visible(isNarrow ? "Review" : words, BOLD),
    end: [span(isNarrow ? `${decided} of ${review.length}` : counts, MUTED)],
  });
}

/** Too low for the queue, and for what Enter does. */
const LOWEST_ROWS = 7;

function isLowestScreen({ rows }: Pick<DialogLayoutInput, "rows">): boolean {
  return rows <= LOWEST_ROWS;
}

/** The effect of Enter after a character has marked an answer. */
const enterWords: Record<ReviewChoice, string> = {
  takeHunk: "takes this one",
  rejectHunk: "rejects this one",
  explain: "rejects this one and asks why",
  edit: "opens it in your editor",
  takeRest: "takes all that are open, and writes",
  rejectRest: "rejects all that are open, and writes what was taken",
};

function keyRows(dialog: PermissionDialog, input: DialogLayoutInput, width: number): Row[] {
  const { isWriting, isBusy, keys } = input;
  if (isWriting) return [row(span(writingText(input, "review"), style({ fg: "info" })))];
  const { permission, review = NO_PROGRESS, choice } = dialog;
  const isShort = isLowScreen(input);
  const hint = (action: ReviewChoice, words: string): Span[] => {
    const key = keys.of(`review.${action}`);
    if (key === undefined) return [];
    const look = choice === action ? MARKED : undefined;
    return [span(key, look ?? KEY), ...(isShort ? [] : [span(` ${words}`, look)])];
  };
  const own = [
    hint("takeHunk", "take"),
    hint("rejectHunk", "reject"),
    hint("explain", "reject and say why"),
    hint("edit", "edit"),
    [span(keys.hint(["review.previous", "review.next"], "choose"))],
  ];
  const all = [
    hint("takeRest", "take the rest"),
    hint("rejectRest", "reject the rest"),
    [span(keys.hint("review.stop", isBusy ? "later, stops the turn" : "later"))],
  ];
  const isDone = isDecided(permission, review);
  const words = choice ? enterWords[choice] : isDone ? "writes what is taken" : "takes this one";
  const again = isConfirmable(choice) && dialog.begun ? `or ${dialog.begun.text} again ` : "";
  const last = wrapSpans(
    [span(keys.hint("review.apply", `${again}${words}`), choice || isDone ? MARKED : MUTED)],
    width,
  );
  if (isLowestScreen(input)) return wrapSpans(beside([...own, ...all]), width).slice(0, 1);
  if (isShort) return [...wrapSpans(beside([...own, ...all]), width).slice(0, 1), ...last.slice(0, 1)];
  return [...wrapSpans(beside(own), width), ...wrapSpans(beside(all), width), ...last];
}

function beside(hints: readonly (readonly Span[])[]): Span[] {
  const shown = hints.filter((each) => each.some(({ text }) => text !== ""));
  return shown.flatMap((each, at) => (at > 0 ? [span(" · ", MUTED), ...each] : each));
}

function queueRows(
  review: readonly ReviewHunk[],
  { at, answers }: ReviewProgress,
  { width, room, root }: { width: number; room: number; root: string },
): Row[] {
  const size = review.length > room && room > 1 ? room - 1 : room;
  const from = Math.max(0, Math.min(at - Math.floor(size / 2), review.length - size));
  const rest = review.length - size;
  const shown = review.slice(from, from + size).map((hunk, index) => {
    const isMarked = from + index === at;
    const answer = answers.get(hunk.hunkId);
    const state: Span = !answer ? span("◌ ", MUTED) : answer.take ? span("✓ ", TAKEN) : span("✗ ", REJECTED);
    const words = answer?.feedback ? visible(`  “${answer.feedback}”`, MUTED) : [];
    const edited = answer?.text === undefined ? [] : [span("  edited", MUTED)];
    const look = isMarked ? MARKED : undefined;
    const place = visible(placeOf(hunk, root), look);
    const mark = span(isMarked ? "› " : "  ", MARKED);
    return truncateRow(row(mark, state, ...place, ...makersOf(hunk), ...edited, ...words), width);
  });
  return rest > 0 && size < room ? [...shown, row(span(`    … ${rest} more`, MUTED))] : shown;
}

function placeOf({ path, change, line }: ReviewHunk, root: string): string {
  const name = relativePath(path, root);
  if (change === "create") return `${name}  new file`;
  return change === "delete" ? `${name}  deleted` : `${name}:${line}`;
}

/** Agents besides the main one that have changed the file. */
function makersOf({ agents = [] }: ReviewHunk): Span[] {
  const others = agents.filter((each) => each !== ROOT_AGENT);
  return others.length === 0 ? [] : visible(`  by ${others.join(", ")}`, MUTED);
}
