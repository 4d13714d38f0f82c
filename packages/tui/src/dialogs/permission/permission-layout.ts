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
/** Else: borders, title; and status, composer, numbers and a row of the transcript. */
const OTHER = 9;
/** With less room for a body that has to be scrolled the answers stand in one row. */
const MIN_BODY = 5;
/** What an answer covers stands beside it in so many rows, and more of it in the body; short answers take no more. */
const MOST_ANSWER_ROWS = 2;
/** Questions that come next are named while the body keeps so many rows. */
const FAIR_BODY = 6;
const MAX_NEXT = 3;
/** `  medium risk · 1 of 3` beside the title. */
const RISK_COLUMNS = 24;

export type PermissionLayout = BodyView & {
  readonly isLow: boolean;
  /** Lines about who asks, above the body; on a low screen they are a part of it. */
  readonly said: readonly string[];
  /** Answers, each in a row or all in one. */
  readonly answers: readonly Row[];
  /** How many of the questions that wait behind this one are named. */
  readonly next: number;
};

type Body = { readonly key: string; readonly rows: readonly Row[] };
/** A long diff is wrapped once, not with every key and frame. */
const bodies = new WeakMap<PermissionDialog["permission"], Body>();

/** What of a permission dialog fits on the screen; the keyboard asks too, for nobody can allow what was not in view. */
export function permissionLayout(dialog: PermissionDialog, place: DialogPlace): PermissionLayout {
  const { columns, rows } = place;
  const isLow = isLowScreen(place);
  const width = columns - MARGIN;
  const said = isLow ? [] : place.said;
  const free = isLow ? rows - LOW_OTHER : rows - OTHER - said.length;
  const main = bodyOf(dialog, width, isLow ? place.said : []);
  const answers = answersFor(dialog, { ...place, width, free, bodyRows: main.length });
  const covers = coverRows(answers.covers, width);
  const bodyRows = main.length + covers.length;
  const left = Math.max(isLow ? 1 : 3, free - answers.rows.length);
  const next = Math.min(MAX_NEXT, place.behind, isLow ? 0 : Math.max(0, left - Math.min(bodyRows, FAIR_BODY)));
  return { isLow, said, answers: answers.rows, next, ...bodyView([...main, ...covers], dialog.scroll, left - next) };
}

type Room = DialogPlace & { width: number; free: number; bodyRows: number };

/** The answers in the longest form that leaves room for all of the body; where none does, it is scrolled to its end. */
function answersFor({ permission }: PermissionDialog, { columns, rows, width, free, bodyRows }: Room): Answers {
  const { options } = permission;
  const line = answerLine(options, { width, columns, most: free < FAIR_BODY ? 1 : MOST_ANSWER_ROWS });
  if (isLowScreen({ rows }) || isNarrow(columns)) return line;
  const short = answerList(options, width, 1);
  const fits = (answers: Answers): boolean =>
    bodyRows + coverRows(answers.covers, width).length + answers.rows.length <= free;
  const whole = [answerList(options, width, MOST_ANSWER_ROWS), short, line].find(fits);
  return whole ?? (free - short.rows.length >= MIN_BODY ? short : line);
}

function bodyOf({ permission }: PermissionDialog, width: number, said: readonly string[]): readonly Row[] {
  const key = JSON.stringify([width, said]);
  const known = bodies.get(permission);
  if (known?.key === key) return known.rows;
  const rows = permissionBody(permission, { width, titleWidth: width - RISK_COLUMNS, said });
  bodies.set(permission, { key, rows });
  return rows;
}
