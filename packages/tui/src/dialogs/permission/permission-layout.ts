import type { PermissionDialog } from "../../state/dialogs.ts";
import type { Row } from "../../text/index.ts";
import { type DialogPlace, isLowScreen } from "../dialog-place.ts";
import { type BodyView, bodyView } from "../scroll-body.ts";
import { type Answers, answerLine, answerList, isNarrow } from "./answer-rows.ts";
import { coverRows, permissionBody } from "./permission-body.ts";

/** Borders and padding at both sides. */
const MARGIN = 4;
/** Rows besides body and answers. Low: borders, title, and a row of the transcript. */
const LOW_OTHER = 4;
/** On other screens: borders, title, status, composer, HUD, and a row of the transcript. */
const OTHER = 9;
/** With less room than this for a scrolled body the answers are put in one row. */
const MIN_BODY = 5;
/** Rows for an answer with what it covers; longer texts go into the body. */
const MAX_ANSWER_ROWS = 2;
/** Dialogs behind this one are named while the body keeps this many rows. */
const FAIR_BODY = 6;
const MAX_NEXT = 3;
/** `  medium risk · 1 of 3` beside the title. */
const RISK_COLUMNS = 24;

export type PermissionLayout = BodyView & {
  readonly isLow: boolean;
  /** Lines about the origin, above the body; on a low screen they are part of it. */
  readonly origin: readonly string[];
  /** Answers, each in a row or all in one. */
  readonly answers: readonly Row[];
  /** How many of the dialogs behind this one are named. */
  readonly next: number;
};

/** The parts of a permission dialog that fit. The keyboard uses it too: only what was in view can be allowed. */
export function permissionLayout(dialog: PermissionDialog, place: DialogPlace): PermissionLayout {
  const { columns, rows } = place;
  const isLow = isLowScreen(place);
  const width = columns - MARGIN;
  const origin = isLow ? [] : place.origin;
  const free = isLow ? rows - LOW_OTHER : rows - OTHER - origin.length;
  const main = bodyOf(dialog, width, isLow ? place.origin : []);
  const answers = answersFor(dialog, { ...place, width, free, bodyRows: main.length });
  const covers = coverRows(answers.covers, width);
  const bodyRows = main.length + covers.length;
  const left = Math.max(isLow ? 1 : 3, free - answers.rows.length);
  const next = Math.min(MAX_NEXT, place.behind.length, isLow ? 0 : Math.max(0, left - Math.min(bodyRows, FAIR_BODY)));
  return { isLow, origin, answers: answers.rows, next, ...bodyView([...main, ...covers], dialog.scroll, left - next) };
}

type Room = DialogPlace & { width: number; free: number; bodyRows: number };

/** The answers in the longest form that leaves room for all of the body; where none does, it is scrolled to its end. */
function answersFor({ permission }: PermissionDialog, { columns, rows, width, free, bodyRows }: Room): Answers {
  const { options } = permission;
  const line = answerLine(options, { width, columns, maxRows: free < FAIR_BODY ? 1 : MAX_ANSWER_ROWS });
  if (isLowScreen({ rows }) || isNarrow(columns)) return line;
  const short = answerList(options, width, 1);
  const fits = (answers: Answers): boolean =>
    bodyRows + coverRows(answers.covers, width).length + answers.rows.length <= free;
  const whole = [answerList(options, width, MAX_ANSWER_ROWS), short, line].find(fits);
  return whole ?? (free - short.rows.length >= MIN_BODY ? short : line);
}

function bodyOf({ permission, body }: PermissionDialog, width: number, origin: readonly string[]): readonly Row[] {
  const look = { width, titleWidth: width - RISK_COLUMNS, origin };
  return body.rows(JSON.stringify(look), () => permissionBody(permission, look));
}
