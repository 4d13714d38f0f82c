import type { PermissionOption } from "@harness/protocol";
import { lettersOf } from "../../state/dialogs.ts";
import {
  prefixRows,
  type Row,
  row,
  span,
  stringWidth,
  style,
  visible,
  visibleText,
  wrapSpans,
} from "../../text/index.ts";

const MUTED = style({ fg: "muted" });
/** Before an answer's further rows: none of them begins as an answer does. */
const REST = span("    ", MUTED);
/** On a narrower screen answers are single words. */
const NARROW_COLUMNS = 60;

export type Answers = {
  /** Each in a row, or all in one. */
  readonly rows: readonly Row[];
  /** The full text of what lasting answers cover, where their rows have no room for it. */
  readonly covers: readonly { readonly name: string; readonly covers: string }[];
};

const shortNames: Record<PermissionOption["kind"], string> = {
  allow_once: "once",
  allow_turn: "turn",
  allow_session: "session",
  allow_always: "always",
  reject_once: "deny",
  reject_always: "never",
};

/**
 * Each answer with its letters, its number and what it covers, in at most `maxRows` rows; longer texts are left to the
 * body.
 */
export function answerList(options: readonly PermissionOption[], width: number, maxRows: number): Answers {
  const covers: { name: string; covers: string }[] = [];
  const shown = new Set<string>();
  const rows = options.flatMap((option, at) => {
    const { name } = option;
    const lead = [span(`${[...lettersOf(option, options), String(at + 1)].join("/")} `), ...visible(name)];
    if (!option.covers) return [row(...lead)];
    const whole = [...lead, span(": "), ...visible(option.covers)];
    if (wrapSpans(whole, width, "hard").length === 1) return [row(...whole)];
    if (shown.has(option.covers)) return [row(...lead, span(" (covers the same)", MUTED))];
    const wrapped = wrapSpans(whole, width - REST.text.length);
    if (wrapped.length <= maxRows) {
      shown.add(option.covers);
      return prefixRows(wrapped, [], [REST]);
    }
    addCover(covers, name, option.covers);
    return [row(...lead, span(" (covers what is said above)", MUTED))];
  });
  return { rows: [...rows, row(span("w deny with words · Esc or Enter deny", MUTED))], covers };
}

/** All answers in the longest form that fits in one row or in `maxRows`; else their keys. No key is ever cut. */
export function answerLine(
  options: readonly PermissionOption[],
  { width, columns, maxRows }: { width: number; columns: number; maxRows: number },
): Answers {
  const keyed = options.map((option, at) => ({ option, key: lettersOf(option, options)[0] ?? String(at + 1) }));
  const short = [...keyed.map(({ option, key }) => `${key} ${shortNames[option.kind]}`), "w words"];
  const forms = [
    [...keyed.map(({ option, key }) => `${key} ${visibleText(option.name)}`), "w deny with words"].join(" · "),
    short.join(" · "),
    short.join("  "),
  ];
  const fits = (text: string): boolean => stringWidth(text) <= width;
  const line = forms.slice(columns < NARROW_COLUMNS ? 1 : 0).find(fits);
  const lines = line === undefined ? packed(short, width) : [line];
  const letters = [...keyed.map(({ key }) => key), "w"].join(" ");
  const covers: { name: string; covers: string }[] = [];
  for (const option of options) if (option.covers) addCover(covers, option.name, option.covers);
  return { rows: (lines.length > maxRows ? [letters] : lines).map((text) => row(span(text))), covers };
}

/** As few rows as it takes. */
function packed(items: readonly string[], width: number): string[] {
  const lines: string[] = [];
  for (const item of items) {
    const longer = `${lines.at(-1) ?? ""} · ${item}`;
    if (lines.length > 0 && stringWidth(longer) <= width) lines[lines.length - 1] = longer;
    else lines.push(item);
  }
  return lines;
}

export function isNarrow(columns: number): boolean {
  return columns < NARROW_COLUMNS;
}

/** Answers that cover the same share one entry. */
function addCover(covers: { name: string; covers: string }[], name: string, text: string): void {
  const same = covers.find((each) => each.covers === text);
  if (same) same.name = `${same.name} / ${name}`;
  else covers.push({ name, covers: text });
}
