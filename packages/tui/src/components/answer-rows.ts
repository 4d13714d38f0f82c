import type { PermissionOption } from "@harness/protocol";
import { lettersOf } from "../state/cards.ts";
import { type Row, row, span, stringWidth, style, visible, visibleText } from "../text/index.ts";

const MUTED = style({ fg: "muted" });
/** On a narrower screen answers are single words. */
const NARROW_COLUMNS = 60;

export type Answers = {
  /** Each in a row, or all in one. */
  readonly rows: readonly Row[];
  /** What a lasting answer would keep, where its row has no room for the whole of it. */
  readonly covers: readonly { readonly name: string; readonly covers: string }[];
};

const words: Record<PermissionOption["kind"], string> = {
  allow_once: "once",
  allow_turn: "turn",
  allow_session: "session",
  allow_always: "always",
  reject_once: "deny",
  reject_always: "never",
};

/** A row for each answer with its letters and its number, and what it would cover. */
export function answerList(options: readonly PermissionOption[], width: number): Answers {
  const covers: { name: string; covers: string }[] = [];
  const rows = options.map((option, at) => {
    const { name } = option;
    const key = `${[...lettersOf(option, options), String(at + 1)].join("/")} `;
    if (!option.covers) return row(span(key), ...visible(name));
    const whole = `${key}${visibleText(name)}: ${visibleText(option.covers)}`;
    if (stringWidth(whole) <= width) return row(span(key), ...visible(name), span(": "), ...visible(option.covers));
    addCover(covers, name, option.covers);
    return row(span(key), ...visible(name), span(" (covers what is said above)", MUTED));
  });
  return { rows: [...rows, row(span("w deny with words · Esc or Enter deny", MUTED))], covers };
}

/** All answers in one row, in the longest form that fits: no answer's key is ever cut. */
export function answerLine(options: readonly PermissionOption[], width: number, columns: number): Answers {
  const keyed = options.map((option, at) => ({ option, key: lettersOf(option, options)[0] ?? String(at + 1) }));
  const short = [...keyed.map(({ option, key }) => `${key} ${words[option.kind]}`), "w words"];
  const forms = [
    [...keyed.map(({ option, key }) => `${key} ${visibleText(option.name)}`), "w deny with words"].join(" · "),
    short.join(" · "),
    short.join("  "),
  ];
  const letters = [...keyed.map(({ key }) => key), "w"].join(" ");
  const fits = (text: string): boolean => stringWidth(text) <= width;
  const line = forms.slice(columns < NARROW_COLUMNS ? 1 : 0).find(fits) ?? letters;
  const covers: { name: string; covers: string }[] = [];
  for (const option of options) if (option.covers) addCover(covers, option.name, option.covers);
  return { rows: [row(span(line))], covers };
}

export function isNarrow(columns: number): boolean {
  return columns < NARROW_COLUMNS;
}

/** Answers that cover the same are told of once. */
function addCover(covers: { name: string; covers: string }[], name: string, text: string): void {
  const same = covers.find((each) => each.covers === text);
  if (same) same.name = `${same.name} / ${name}`;
  else covers.push({ name, covers: text });
}
