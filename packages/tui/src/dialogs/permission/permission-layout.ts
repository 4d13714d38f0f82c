import type { PermissionDialog } from "../../state/dialogs.ts";
import { type Row, row, span, style } from "../../text/index.ts";
import { type DialogLayoutInput, isLowScreen, writingText } from "../dialog-layout-input.ts";
import { type BodyView, bodyView } from "../scroll-body.ts";
import { type Answers, answerLine, answerList, fullAnswers } from "./answer-rows.ts";
import { markedIndex, type OfferedAnswer, offeredAnswers } from "./offered-answers.ts";
import { optionalRows, permissionBody } from "./permission-body.ts";
import { changeInTitle, endText } from "./permission-facts.ts";

/** Borders and padding on both sides. */
const MARGIN = 4;
/** Rows besides body and answers. Low: the borders, and a row of the transcript where there is room for one. */
const LOW_OTHER = 3;
const LOWEST_OTHER = 2;
const LOWEST_ROWS = 7;
/** On other screens: borders, composer, HUD, and a row of the transcript; with all rows for the dialog, without the two. */
const OTHER = 7;
const ALL_OTHER = 3;
/** With less room than this for a scrolled body, the answers share one row. */
const MIN_BODY = 5;
/** Answers that share rows take at most this many. */
const MAX_LINES = 2;
/** At most this many of the dialogs waiting after this one are listed, and only if everything else fits. */
const MAX_NEXT = 3;
/** How many unchanged lines around a change are shown; fewer if that leaves the whole body in view. */
const CONTEXT = 3;
/** `── high risk · 1 of 3 ─╮` after the title, and `╭ ` before it. */
const END_COLUMNS = 26;

export type PermissionLayout = BodyView & {
  /** All that has to be seen before it can be allowed is in view. */
  readonly isRead: boolean;
  readonly isLow: boolean;
  /** The hint about the rest of the body is in the frame. */
  readonly hasFoot: boolean;
  /** Lines about the origin, above the body; on a low screen they are part of it. */
  readonly origin: readonly string[];
  /** The possible answers, and the one that Enter gives. */
  readonly offered: readonly OfferedAnswer[];
  readonly marked: number;
  /** Answers whose extent is not in view in full: Enter shows it first. */
  readonly cut: readonly OfferedAnswer[];
  /** Answers, each in a row or all in one. */
  readonly answers: readonly Row[];
  /** A blank row before them. */
  readonly hasGap: boolean;
  /** How many of the waiting dialogs are listed. */
  readonly next: number;
};

/** The parts of a permission dialog that fit. The keyboard uses it too: only what was in view can be allowed. */
export function permissionLayout(dialog: PermissionDialog, input: DialogLayoutInput): PermissionLayout {
  const { columns, isWriting } = input;
  const isLow = isLowScreen(input);
  const width = columns - MARGIN;
  const origin = isLow ? [] : input.origin;
  const offered = offeredAnswers(dialog, input);
  const marked = markedIndex(offered, dialog);
  const hasAllRows = takesAllRows(dialog, input);
  const free = freeRows(dialog, input, hasAllRows);
  const hasFoot = isLow || hasAllRows;
  const kept = { isLow, hasFoot, origin, offered, marked };
  if (dialog.isMore) {
    const answers = fullAnswers(offered, { width, room: Math.max(1, free - 1), marked });
    return { ...kept, isRead: false, answers, cut: [], hasGap: false, next: 0, ...hiddenBody(dialog) };
  }
  const least = isLow ? bodyOf(dialog, input, 0).length : MIN_BODY;
  const asked = { offered, marked, isTyped: dialog.begun !== undefined, input, least };
  const { rows: answers, cut } = answersIn(free, asked);
  const body = bodyFor(dialog, input, free - answers.length);
  const hasGap = body.length + 1 + answers.length <= free;
  const left = Math.max(1, free - answers.length - (hasGap ? 1 : 0));
  const next = isLow ? 0 : Math.min(MAX_NEXT, input.behind.length, Math.max(0, left - body.length));
  const view = bodyView(body, dialog.scroll, left - next, hasFoot ? 0 : 1);
  const shown = isWriting ? [...answers, row(span(writingText(input, "answer this"), style({ fg: "info" })))] : answers;
  const isRead = view.hidden <= (view.hidden > 0 ? optionalIn(dialog, input) : 0);
  return { ...kept, isRead, answers: shown, cut, hasGap, next, ...view };
}

/**
 * True if the dialog needs the rows of composer and HUD, because its body would not be in view as a whole otherwise. On a
 * low screen every dialog has them.
 */
export function takesAllRows(dialog: PermissionDialog, input: DialogLayoutInput): boolean {
  if (isLowScreen(input) || input.hasDraft || dialog.isMore) return false;
  const offered = offeredAnswers(dialog, input);
  const free = freeRows(dialog, input, false);
  const asked = { offered, marked: markedIndex(offered, dialog), isTyped: false, input, least: MIN_BODY };
  const answers = answersIn(free, asked);
  return bodyOf(dialog, input, 0).length > free - answers.rows.length;
}

/** Rows for body and answers. */
function freeRows({ early }: PermissionDialog, input: DialogLayoutInput, hasAllRows: boolean): number {
  const { rows, origin, isWriting } = input;
  const low = rows <= LOWEST_ROWS ? LOWEST_OTHER : LOW_OTHER;
  const others = isLowScreen(input) ? low : (hasAllRows ? ALL_OTHER : OTHER) + origin.length;
  return rows - others - (isWriting ? 1 : 0) - (early === undefined ? 0 : 1);
}

/** The further answers take its place: nothing of it counts as seen. */
function hiddenBody({ scroll }: PermissionDialog): BodyView {
  return { shown: [], hidden: 1, scroll, maxScroll: 0, page: 0 };
}

type AnswerRoom = {
  offered: readonly OfferedAnswer[];
  marked: number;
  /** A character has marked it, which gives nothing by itself. */
  isTyped: boolean;
  input: DialogLayoutInput;
  /** Rows for the body without which the answers share rows. */
  least: number;
};

function answersIn(free: number, { offered, marked, isTyped, input, least }: AnswerRoom): Answers {
  const { columns, isWriting, keys } = input;
  const look = {
    width: columns - MARGIN,
    marked: isWriting ? undefined : marked,
    enter: keys.say("permission.take", (key) => (isTyped ? `${key} gives it` : key)) || undefined,
  };
  const list = answerList(offered, look);
  if (free - list.rows.length >= least) return list;
  return answerLine(offered, { ...look, maxRows: free < MIN_BODY ? 1 : MAX_LINES });
}

/** The body with as much context as leaves it whole in view; if nothing does, with the usual one, or none on a low screen. */
function bodyFor(dialog: PermissionDialog, input: DialogLayoutInput, room: number): readonly Row[] {
  const usual = bodyOf(dialog, input, CONTEXT);
  if (usual.length <= room) return usual;
  const least = bodyOf(dialog, input, 0);
  if (least.length > room) return isLowScreen(input) ? least : usual;
  for (let context = CONTEXT - 1; context > 0; context -= 1) {
    const body = bodyOf(dialog, input, context);
    if (body.length <= room) return body;
  }
  return least;
}

/** Rows at the end of the body that need not be seen. */
function optionalIn({ permission }: PermissionDialog, input: DialogLayoutInput): number {
  return optionalRows(permission, bodyLook(permission, input, CONTEXT));
}

function bodyOf({ permission, body }: PermissionDialog, input: DialogLayoutInput, context: number): readonly Row[] {
  const look = bodyLook(permission, input, context);
  const { width, origin, inTitle } = look;
  const key = JSON.stringify([
    width,
    origin,
    isLowScreen(input),
    context,
    inTitle === undefined,
    input.drawing.generation,
  ]);
  return body.rows(key, () => permissionBody(permission, look));
}

function bodyLook(permission: PermissionDialog["permission"], input: DialogLayoutInput, context: number) {
  const { columns, root, drawing } = input;
  const isLow = isLowScreen(input);
  const width = columns - MARGIN;
  const end = endText(permission, input.behind.length);
  const inTitle = changeInTitle(permission, { root, columns, end })?.diff;
  const origin = isLow ? input.origin : [];
  const titleWidth = width - END_COLUMNS;
  return { width, root, titleWidth, origin, isAiry: !isLow, code: drawing.code, context, inTitle };
}
