import type { PermissionDialog } from "../../state/dialogs.ts";
import { type Row, row, span, style } from "../../text/index.ts";
import { type DialogLayoutInput, isLowScreen, writingText } from "../dialog-layout-input.ts";
import { type BodyView, bodyView } from "../scroll-body.ts";
import { type Answers, answerLine, answerList, cutRows, isNarrow } from "./answer-rows.ts";
import { markedIndex, type OfferedAnswer, offeredAnswers } from "./offered-answers.ts";
import { permissionBody } from "./permission-body.ts";

/** Borders and padding on both sides. */
const MARGIN = 4;
/** Rows besides body and answers. Low: borders and a row of the transcript. */
const LOW_OTHER = 3;
/** On other screens: borders, status, composer, HUD, and a row of the transcript. */
const OTHER = 8;
/** With less room than this for a scrolled body, the answers share one row. */
const MIN_BODY = 5;
/** The most rows per answer; longer texts go into the body. */
const MAX_ANSWER_ROWS = 2;
/** Dialogs waiting after this one are listed while the body keeps this many rows. */
const FAIR_BODY = 6;
const MAX_NEXT = 3;
/** `── medium risk · 1 of 3 ─╮` after the title, and `╭ ` before it. */
const RISK_COLUMNS = 28;

export type PermissionLayout = BodyView & {
  readonly isLow: boolean;
  /** Lines about the origin, above the body; on a low screen they are part of it. */
  readonly origin: readonly string[];
  /** The possible answers, and the one that Enter gives. */
  readonly offered: readonly OfferedAnswer[];
  readonly marked: number;
  /** Answers, each in a row or all in one. */
  readonly answers: readonly Row[];
  /** A blank row before them. */
  readonly hasGap: boolean;
  /** How many of the waiting dialogs are listed. */
  readonly next: number;
};

/** The parts of a permission dialog that fit. The keyboard uses it too: only what was in view can be allowed. */
export function permissionLayout(dialog: PermissionDialog, input: DialogLayoutInput): PermissionLayout {
  const { columns, rows, isWriting } = input;
  const isLow = isLowScreen(input);
  const width = columns - MARGIN;
  const origin = isLow ? [] : input.origin;
  const offered = offeredAnswers(dialog.permission, input);
  const marked = markedIndex(offered, dialog);
  const free = (isLow ? rows - LOW_OTHER : rows - OTHER - origin.length) - (isWriting ? 1 : 0);
  const main = bodyOf(dialog, { width, root: input.root, origin: isLow ? input.origin : undefined });
  const room = { ...input, width, free, bodyRows: main.length, marked: isWriting ? undefined : marked };
  const { rows: answers, cut } = answersFor(offered, room);
  const body = [...main, ...cutRows(cut, width)];
  const hasGap = body.length + 1 + answers.length <= free;
  const left = Math.max(isLow ? 1 : 3, free - answers.length - (hasGap ? 1 : 0));
  const next = Math.min(
    MAX_NEXT,
    input.behind.length,
    isLow ? 0 : Math.max(0, left - Math.min(body.length, FAIR_BODY)),
  );
  const view = bodyView(body, dialog.scroll, left - next);
  const shown = isWriting ? [...answers, row(span(writingText(input, "answer this"), style({ fg: "info" })))] : answers;
  return { isLow, origin, offered, marked, answers: shown, hasGap, next, ...view };
}

type Room = DialogLayoutInput & { width: number; free: number; bodyRows: number; marked: number | undefined };

/**
 * The answers in the longest form that leaves room for the whole body; if none does, the body must be scrolled to its
 * end.
 */
function answersFor(
  offered: readonly OfferedAnswer[],
  { columns, rows, width, free, bodyRows, marked, keys }: Room,
): Answers {
  const look = { width, marked, enter: keys.of("permission.take") };
  const line = answerLine(offered, { ...look, maxRows: free < MIN_BODY ? 1 : MAX_ANSWER_ROWS });
  if (isLowScreen({ rows }) || isNarrow(columns)) return line;
  const short = answerList(offered, { ...look, maxRows: 1 });
  const fits = ({ cut, rows: shown }: Answers): boolean => bodyRows + cutRows(cut, width).length + shown.length <= free;
  const whole = [answerList(offered, { ...look, maxRows: MAX_ANSWER_ROWS }), short, line].find(fits);
  return whole ?? (free - short.rows.length >= MIN_BODY ? short : line);
}

/** `origin`: on a low screen, where it is part of the body. */
function bodyOf(
  { permission, body }: PermissionDialog,
  { width, root, origin }: { width: number; root: string; origin: readonly string[] | undefined },
): readonly Row[] {
  const look = { width, root, titleWidth: width - RISK_COLUMNS, origin: origin ?? [], isAiry: origin === undefined };
  return body.rows(JSON.stringify([width, origin]), () => permissionBody(permission, look));
}
