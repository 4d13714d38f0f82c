import type { Card, PermissionCard } from "../state/cards.ts";
import type { Row } from "../text/index.ts";
import { type Answers, answerLine, answerList, isNarrow } from "./answer-rows.ts";
import { permissionBody } from "./permission-body.ts";

/** On a lower screen the card says less around its body, and takes the rows of the composer and the numbers. */
const LOW_ROWS = 18;
/** Borders and padding at both sides. */
const MARGIN = 4;
/** Rows besides body and answers. Low: borders, title, and a row of the transcript. */
const LOW_OTHER = 4;
/** Else: borders, title; and status, composer, numbers and a row of the transcript. */
const OTHER = 9;
/** With less room for the body the answers stand in one row. */
const MIN_BODY = 5;
/** Questions that come next are named while the body keeps so many rows. */
const FAIR_BODY = 6;
const MAX_NEXT = 3;
/** `  medium risk · 1 of 3` beside the title. */
const RISK_COLUMNS = 24;

export type PermissionLayout = {
  readonly isLow: boolean;
  /** Lines about who asks, above the body; on a low screen they are a part of it. */
  readonly said: readonly string[];
  /** The rows of the body that are in view, and how many are below them. */
  readonly shown: readonly Row[];
  readonly hidden: number;
  /** First row in view, at most `maxScroll`; a page is so many rows. */
  readonly scroll: number;
  readonly maxScroll: number;
  readonly page: number;
  /** Answers, each in a row or all in one. */
  readonly answers: readonly Row[];
  /** How many of the questions that wait behind this one are named. */
  readonly next: number;
};

export type CardPlace = {
  readonly columns: number;
  readonly rows: number;
  /** Who asks, where it is not the agent the person talks to, and from which session. */
  readonly said: readonly string[];
  /** Cards behind this one. */
  readonly behind: number;
};

/** What the first card's layout depends on besides the card. */
export function cardPlace(view: {
  readonly size: { readonly columns: number; readonly rows: number };
  readonly cards: readonly Card[];
  readonly sessionId: string | undefined;
  /** Which subagent asks; undefined: the agent the person talks to. */
  readonly asker: string | undefined;
}): CardPlace {
  const { size, cards, sessionId, asker } = view;
  const [card] = cards;
  const isElsewhere = card !== undefined && card.sessionId !== sessionId;
  const where = isElsewhere ? [`From session ${card.sessionId}, which works in the background.`] : [];
  return { ...size, said: asker === undefined ? where : [...where, asker], behind: Math.max(0, cards.length - 1) };
}

export function isLowScreen({ rows }: Pick<CardPlace, "rows">): boolean {
  return rows < LOW_ROWS;
}

type Body = { readonly key: string; readonly rows: readonly Row[] };
/** A long diff is wrapped once, not with every key and frame. */
const bodies = new WeakMap<PermissionCard["permission"], Body>();

/** What of a permission card fits on the screen; the keyboard asks too, for nobody can allow what was not in view. */
export function permissionLayout(card: PermissionCard, place: CardPlace): PermissionLayout {
  const { columns, rows } = place;
  const isLow = isLowScreen(place);
  const width = columns - MARGIN;
  const said = isLow ? [] : place.said;
  const free = isLow ? rows - LOW_OTHER : rows - OTHER - said.length;
  const { options } = card.permission;
  const list = isLow || isNarrow(columns) ? undefined : answerList(options, width);
  const answers = list && free - list.rows.length >= MIN_BODY ? list : answerLine(options, width, columns);
  const body = bodyOf(card, width, answers, isLow ? place.said : []);
  const left = Math.max(isLow ? 1 : 3, free - answers.rows.length);
  const next = Math.min(MAX_NEXT, place.behind, isLow ? 0 : Math.max(0, left - Math.min(body.length, FAIR_BODY)));
  const room = left - next;
  const page = body.length <= room ? room : Math.max(1, room - 1);
  const maxScroll = Math.max(0, body.length - page);
  const scroll = Math.min(card.scroll, maxScroll);
  const shown = body.slice(scroll, scroll + page);
  const hidden = body.length - scroll - shown.length;
  return { isLow, said, shown, hidden, scroll, maxScroll, page, answers: answers.rows, next };
}

function bodyOf({ permission }: PermissionCard, width: number, { covers }: Answers, said: readonly string[]) {
  const key = JSON.stringify([width, said, covers]);
  const known = bodies.get(permission);
  if (known?.key === key) return known.rows;
  const rows = permissionBody(permission, { width, titleWidth: width - RISK_COLUMNS, said, covers });
  bodies.set(permission, { key, rows });
  return rows;
}
