import { type Effect, ROOT_AGENT } from "@harness/protocol";
import { lettersOf, type PermissionCard } from "../state/cards.ts";
import { type Row, row, span, stringWidth, style, visible, visibleText } from "../text/index.ts";
import { previewRows } from "./preview-rows.ts";

const MAX_EFFECTS = 4;
/** On a lower screen the card says less around its preview, and takes the rows of the composer and the numbers. */
const LOW_ROWS = 18;
/** On a narrower one its answers are single words. */
const NARROW_COLUMNS = 60;
/** Borders and padding at both sides. */
const MARGIN = 4;
/** Rows besides the preview. Low: borders, title, reason, answers, and a row of the transcript. */
const LOW_OTHER = 6;
/** Else: borders, title, reason; and status, composer, numbers and a row of the transcript. */
const OTHER = 10;

const MUTED = style({ fg: "muted" });

export type PermissionLayout = {
  readonly isLow: boolean;
  readonly effects: readonly Effect[];
  /** Effects that there is no room for. */
  readonly moreEffects: number;
  /** The rows of the preview that are in view, and how many are below them. */
  readonly shown: readonly Row[];
  readonly hidden: number;
  /** First row in view, at most `maxScroll`; a page is so many rows. */
  readonly scroll: number;
  readonly maxScroll: number;
  readonly page: number;
  /** Answers, each in a row or all in one. */
  readonly answers: readonly Row[];
};

type Place = {
  readonly columns: number;
  readonly rows: number;
  /** The card's session is not the one in view. */
  readonly elsewhere: boolean;
};

export function isLowScreen({ rows }: Pick<Place, "rows">): boolean {
  return rows < LOW_ROWS;
}

/** What of a permission card fits on the screen; the keyboard asks too, for nobody can allow what was not in view. */
export function permissionLayout(card: PermissionCard, { columns, rows, elsewhere }: Place): PermissionLayout {
  const { permission } = card;
  const isLow = isLowScreen({ rows });
  // One effect with a preview is said already: by the reason in words, by the preview in full.
  const isSaid = permission.effects.length === 1 && permission.preview.length > 0;
  const effects = isLow || isSaid ? [] : permission.effects.slice(0, MAX_EFFECTS);
  const moreEffects = isLow || isSaid ? 0 : permission.effects.length - effects.length;
  const answers = answerRows(card, columns - MARGIN, isLow || columns < NARROW_COLUMNS);
  const said = effects.length + Math.min(1, moreEffects) + (elsewhere ? 1 : 0) + (isFromSubagent(card) ? 1 : 0);
  const room = isLow ? Math.max(1, rows - LOW_OTHER) : Math.max(3, rows - OTHER - said - answers.length);
  const preview = previewRows(permission.preview, columns - MARGIN);
  const page = preview.length <= room ? room : Math.max(1, room - 1);
  const maxScroll = Math.max(0, preview.length - page);
  const scroll = Math.min(card.scroll, maxScroll);
  const shown = preview.slice(scroll, scroll + page);
  const hidden = preview.length - scroll - shown.length;
  return { isLow, effects, moreEffects, shown, hidden, scroll, maxScroll, page, answers };
}

function isFromSubagent({ permission }: PermissionCard): boolean {
  return permission.agentId !== ROOT_AGENT;
}

const words: Record<PermissionCard["permission"]["options"][number]["kind"], string> = {
  allow_once: "once",
  allow_session: "session",
  allow_always: "always",
  reject_once: "deny",
  reject_always: "never",
};

function answerRows({ permission: { options } }: PermissionCard, width: number, inOne: boolean): Row[] {
  if (inOne) return [shortRow(options, width)];
  const rows = options.map((option, at) => {
    const keys = span(`${[...lettersOf(option, options), String(at + 1)].join("/")} `);
    const covers = option.covers ? [span(": "), ...visible(option.covers)] : [];
    return row(keys, ...visible(option.name), ...covers);
  });
  return [...rows, row(span("w deny with words · Esc deny", MUTED))];
}

/** The longest form that fits: no answer's key is ever cut. */
function shortRow(options: PermissionCard["permission"]["options"], width: number): Row {
  const keyed = options.map((option, at) => ({ option, key: lettersOf(option, options)[0] ?? String(at + 1) }));
  const short = [...keyed.map(({ option, key }) => `${key} ${words[option.kind]}`), "w words"];
  const forms = [
    [...keyed.map(({ option, key }) => `${key} ${visibleText(option.name)}`), "w deny with words"].join(" · "),
    short.join(" · "),
    short.join("  "),
  ];
  const letters = [...keyed.map(({ key }) => key), "w"].join(" ");
  const fits = (text: string): boolean => stringWidth(text) <= width;
  return row(span(forms.slice(width + MARGIN < NARROW_COLUMNS ? 1 : 0).find(fits) ?? letters));
}
