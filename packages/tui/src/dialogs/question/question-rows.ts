import { hints, type KeyLabels } from "../../keymap/key-labels.ts";
import type { QuestionDialog } from "../../state/dialogs.ts";
import { type Row, row, span, style, visibleText } from "../../text/index.ts";
import type { Field } from "../../widgets/line-field.tsx";
import { type DialogLayoutInput, writingText } from "../dialog-layout-input.ts";
import { type FramedRows, framedRows } from "../framed-rows.ts";
import { nextRows } from "../next-rows.ts";
import { isNumber } from "./question-choice.ts";
import { questionLayout } from "./question-layout.ts";

const MAX_HEADER = 40;
const PROMPT = [span("> ", style({ fg: "accent" }))];
const BOLD = style({ bold: true });
const INFO = style({ fg: "info" });
const MUTED = style({ fg: "muted" });
const WARNING = style({ fg: "warning" });

/** A question of the agent: answered by number, by text, or not at all. `secondsLeft`: until it expires. */
export function questionRows(
  dialog: QuestionDialog,
  input: DialogLayoutInput,
  secondsLeft: number | undefined,
): FramedRows {
  const { question, typed, armed } = dialog;
  const { isLow, shown, hidden, maxScroll, next, pinned } = questionLayout(dialog, input);
  const width = input.columns - 4;
  const left = secondsLeft === undefined ? "" : ` · expires in ${countdown(secondsLeft)}`;
  const waiting = placeText(question.part, input.behind.length);
  const down = input.keys.say("question.pageDown", (key) => `: ${key}`);
  const more = maxScroll > 0 && hidden > 0 ? `↓ ${hidden} more${down}` : "";
  const rest = more === "" ? (input.keys.of("question.take") ?? "") : `↓ ${hidden} more`;
  const keys = input.isWriting
    ? writingText(input, "answer this")
    : armed
      ? hintThatFits([hints(more, keysText(dialog, input.keys, width - more.length)), more, rest], width)
      : "…";
  const rows: (Row | Field)[] = [
    ...(isLow ? [] : input.origin).map((each) => row(span(visibleText(each), WARNING))),
    ...shown,
    ...pinned,
    ...(armed && !input.isWriting && (question.freeText || !typed.isEmpty)
      ? [{ label: PROMPT, text: isNumber(dialog) ? "" : typed.text }]
      : []),
    row(span(keys, dialog.asksNone ? WARNING : MUTED)),
    ...nextRows(input, next),
  ];
  const header = visibleText(question.header?.trim() ?? "").slice(0, MAX_HEADER);
  const title = [span(header === "" ? "Question" : header, BOLD)];
  const end = `${waiting}${left}`.slice(3);
  return framedRows(rows, { role: "info", columns: input.columns, title, end: end === "" ? [] : [span(end, INFO)] });
}

/** `1 of 3`: of the questions asked one after another, or else of the dialogs that wait. */
function placeText(part: QuestionDialog["question"]["part"], behind: number): string {
  if (!part) return behind > 0 ? ` · 1 of ${behind + 1}` : "";
  const more = behind === 0 ? "" : ` · ${behind} more ${behind === 1 ? "waits" : "wait"}`;
  return ` · ${part.at} of ${part.of}${more}`;
}

/** Never cut; an empty one says nothing. */
function hintThatFits(texts: readonly string[], width: number): string {
  return texts.find((text) => text !== "" && text.length <= width) ?? "";
}

/** The hint about the keys, in the longest form that fits. */
function keysText({ question, asksNone }: QuestionDialog, keys: KeyLabels, columns: number): string {
  if (asksNone) {
    const ways = [keys.hint("question.check", "selects"), keys.hint("question.take", "sends “none of these”")];
    return hints("Nothing is selected", ...ways);
  }
  const count = question.options.length;
  const numbers = count === 1 ? "1 choose" : `1–${count} choose`;
  const choose = count === 0 ? "" : keys.hint(["question.previous", "question.next"], `or ${numbers}`) || numbers;
  const several = question.multiple ? keys.hint("question.check", "selects") : "";
  const words = question.freeText ? (count === 0 ? "type an answer" : "or type an answer") : "";
  const back = question.back ? keys.hint("question.back", "back") : "";
  const ends = [
    keys.hint("question.take", question.part ? "next" : "sends"),
    back,
    keys.hint("question.decline", "skips"),
  ];
  const texts = [hints(choose, several, words, ...ends), hints(several, ...ends)];
  const short = hints(keys.of("question.take") ?? "", keys.of("question.decline") ?? "");
  return texts.find((text) => text.length <= columns) ?? short;
}

/** `42 s`, `1:05 min`. */
function countdown(seconds: number): string {
  if (seconds < 60) return `${seconds} s`;
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")} min`;
}
