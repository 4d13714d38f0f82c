import type { QuestionDialog } from "../../state/dialogs.ts";
import { EMPTY_ROW, prefixRows, type Row, span, style, textLines, visible, wrapSpans } from "../../text/index.ts";
import { markdownRows } from "../../text/markdown/document.ts";
import { type DialogLayoutInput, isLowScreen } from "../dialog-layout-input.ts";
import { type BodyView, bodyView } from "../scroll-body.ts";
import { markedAnswer, numbered } from "./question-choice.ts";

const MUTED = style({ fg: "muted" });
const MARKED = style({ fg: "accent", bold: true });
const BAR = span("┊ ", style({ fg: "muted" }));
/** Borders and padding on both sides. */
const MARGIN = 4;
/** Rows besides question and answers: borders, field, keys and a row of the transcript. */
const LOW_OTHER = 5;
/** On other screens also: origin, status, composer, HUD. */
const OTHER = 12;
const MAX_NEXT = 3;

export type QuestionLayout = BodyView & {
  readonly isLow: boolean;
  /** How many of the waiting dialogs are listed. */
  readonly next: number;
  /** Whether all rows of the marked answer are in view, and the scroll position that shows them. */
  readonly isMarkInView: boolean;
  readonly scrollToMark: number;
  /** Rows below those that scroll. */
  readonly pinned: readonly Row[];
};

/** The rows of a plan that stay in view above the answers. */
const MIN_ABOUT = 3;

/**
 * A question and its numbered answers as rows to scroll through; a bar marks text that is not ours. The answers to a
 * plan stay in view below it, where there is room.
 */
export function questionLayout(dialog: QuestionDialog, input: DialogLayoutInput): QuestionLayout {
  const { question, scroll: at, checked = [], typed } = dialog;
  const { columns, rows, origin, behind } = input;
  const isLow = isLowScreen(input);
  const width = columns - MARGIN;
  const message = [
    ...prefixRows(textRows(question.message, width - 2), [BAR], [BAR]),
    ...(isLow || question.options.length === 0 ? [] : [EMPTY_ROW]),
  ];
  const about = aboutRows(question, input, width - 2);
  const options = question.options.map(({ name, description }, index) => {
    // Typed text is the answer, so no choice is marked.
    const isMarked = index === markedAnswer(dialog) && (typed.isEmpty || numbered(question, typed.text) === index);
    const box = question.multiple ? (checked.includes(index) ? "[x] " : "[ ] ") : "";
    const lead = `${isMarked ? "› " : "  "}${index + 1} ${box}`;
    const look = isMarked ? MARKED : undefined;
    const rest = span(" ".repeat(lead.length));
    const words = description === undefined ? [] : visible(description, MUTED);
    const said = words.length > 0 && isLow ? [span("  "), ...words] : [];
    const named = wrapSpans([...visible(name, look), ...said], width - lead.length);
    const below = words.length > 0 && !isLow ? wrapSpans(words, width - lead.length) : [];
    return prefixRows([...named, ...below], [span(lead, look)], [rest]);
  });
  const left = Math.max(
    isLow ? 1 : 3,
    rows - (isLow ? LOW_OTHER + (question.expiresAt ? 1 : 0) : OTHER - 1 + origin.length),
  );
  const answers = options.flat();
  const next = isLow
    ? 0
    : Math.min(MAX_NEXT, behind.length, Math.max(0, left - about.length - message.length - answers.length));
  const pinned = [...(about.length === 0 || isLow ? [] : [EMPTY_ROW]), ...message, ...answers];
  if (about.length > 0 && left - next - pinned.length >= MIN_ABOUT) {
    const view = bodyView(about, at, left - next - pinned.length);
    return { isLow, next, isMarkInView: true, scrollToMark: view.scroll, ...view, pinned };
  }
  const body = [...about, ...pinned];
  const view = bodyView(body, at, left - next);
  const from = body.length - answers.length + options.slice(0, markedAnswer(dialog)).flat().length;
  const end = from + (options[markedAnswer(dialog)]?.length ?? 0);
  // A longer answer is shown from its beginning.
  const scrollToMark = Math.min(view.maxScroll, from, Math.max(view.scroll, end - view.page));
  const isMarkInView = from >= view.scroll && Math.min(end, from + view.page) <= view.scroll + view.page;
  return { isLow, next, isMarkInView, scrollToMark, ...view, pinned: [] };
}

/** The Markdown that the question is about, such as a plan, with the same bar. */
function aboutRows({ about }: QuestionDialog["question"], { drawing }: DialogLayoutInput, width: number): Row[] {
  if (about === undefined) return [];
  return prefixRows(markdownRows(about, Math.max(1, width), drawing.code), [BAR], [BAR]);
}

function textRows(text: string, width: number): Row[] {
  return textLines(text).flatMap((line) => wrapSpans([span(line)], Math.max(1, width)));
}
