import { type InputEvent, TextBuffer } from "../../input/index.ts";
import { questionKeys } from "../../keymap/dialog-keys.ts";
import { inputKeys } from "../../keymap/shared-keys.ts";
import { withBuffer } from "../../state/composer.ts";
import { type Dialog, NONE_OF_THESE, type QuestionDialog, withoutBegun } from "../../state/dialogs.ts";
import type { Store } from "../../state/store.ts";
import type { DialogDeps } from "../dialog.ts";
import { dialogPlaceIn } from "../dialog-layout-input.ts";
import type { DialogAnswer, DialogQueue } from "../dialog-queue.ts";
import { scrolledBy, WHEEL_ROWS } from "../scroll-body.ts";
import { chosenOf, isNumber, markedAnswer, numbered } from "./question-choice.ts";
import { questionLayout } from "./question-layout.ts";

/** True if a text by itself marks an answer of a question without free text. */
export function isQuestionAnswer({ question }: QuestionDialog, text: string): boolean {
  return numbered(question, text) !== undefined;
}

/** Keys of an armed question dialog. Only Enter sends anything. */
export function takeQuestionKey(deps: DialogDeps, asked: QuestionDialog, event: InputEvent): void {
  const { store, queue, lines } = deps;
  const action = event.type === "key" ? questionKeys.idOf(event) : undefined;
  const dialog = action === "take" || !asked.asksNone ? asked : { ...asked, asksNone: undefined };
  if (event.type === "wheel") {
    scrollQuestion(store, dialog, event.direction * WHEEL_ROWS);
    return;
  }
  if (event.type !== "key" && event.type !== "paste") return;
  const { question, typed } = dialog;
  if (lines.keepsOpen(typed, event)) return;
  if (action === "back" && canGoBack(dialog, event)) queue.answer(dialog.id, { action: "back", ...draftOf(dialog) });
  else if (action === "decline") {
    keepWords(store, dialog);
    queue.answer(dialog.id, { action: "decline" });
  } else if (action === "take") send(store, queue, dialog, event);
  else if (action === "previous") mark(store, dialog, -1);
  else if (action === "next") mark(store, dialog, 1);
  else if (action === "check" && question.multiple && (typed.isEmpty || isNumber(dialog))) check(store, dialog);
  else if (action === "pageUp" || action === "pageDown") {
    const { page } = questionLayout(dialog, dialogPlaceIn(store.get()));
    scrollQuestion(store, dialog, action === "pageUp" ? -page : page);
  } else if (dialog.begun && inputKeys.idOf(event) === "deleteBack") change(store, withoutBegun(dialog));
  else type(deps, dialog, event);
}

/** Words that were typed for an answer become a draft, if there is none. */
function keepWords(store: Store, dialog: QuestionDialog): void {
  const { composer } = store.get();
  const words = wordsOf(dialog);
  if (words !== "" && composer.buffer.isEmpty) store.set({ composer: withBuffer(composer, TextBuffer.of(words)) });
}

/** In a line with words, an arrow moves in it. */
function canGoBack(dialog: QuestionDialog, event: InputEvent): boolean {
  const { question, typed } = dialog;
  return (
    question.back === true && (typed.isEmpty || isNumber(dialog) || (event.type === "key" && event.name === "tab"))
  );
}

/** Words go into the line; without free text, only the number of an answer does. */
function type({ store, lines }: DialogDeps, dialog: QuestionDialog, event: InputEvent): void {
  const { question, typed, marked } = dialog;
  const next = lines.edit(typed, event);
  if (!next) return;
  const option = numbered(question, next.text);
  if (!question.freeText && option === undefined && next.text !== "") return;
  // A number marks its answer, so that it is visible before Enter sends it.
  const before = dialog.begun ? dialog.begun.before : marked;
  const begun = question.freeText || next.text === "" ? undefined : { text: next.text, before };
  const changed = { ...dialog, typed: next, begun };
  if (option === undefined) change(store, changed);
  else show(store, { ...changed, marked: option });
}

/** Words are sent as they are. An answer of the list is only given as the user sees it. */
function send(
  store: Store,
  queue: DialogQueue,
  dialog: QuestionDialog,
  { endsBurst }: InputEvent & { endsBurst?: true },
): void {
  const { question, typed } = dialog;
  const isWords = !typed.isEmpty && numbered(question, typed.text) === undefined;
  const isSeen = queue.isShown(dialog) && questionLayout(dialog, dialogPlaceIn(store.get())).isMarkInView;
  const answer = answerOf(dialog);
  if (isNone(dialog) && !dialog.asksNone) show(store, { ...dialog, asksNone: true });
  else if (answer && (isWords || (!endsBurst && isSeen))) queue.answer(dialog.id, answer);
  else show(store, dialog);
}

function answerOf(dialog: QuestionDialog): DialogAnswer | undefined {
  const { question, typed } = dialog;
  const number = numbered(question, typed.text);
  const text = wordsOf(dialog);
  if (isNone(dialog)) return { action: "accept", text: NONE_OF_THESE };
  if (chosenOf(dialog).length > 0)
    return { action: "accept", text: severalText(number === undefined ? dialog : withChecked(dialog, number)) };
  const option = question.options[number ?? markedAnswer(dialog)];
  if (option && text === "") return { action: "accept", optionId: option.optionId };
  return text === "" ? undefined : { action: "accept", text };
}

/** The words in the line, if it does not only mark an answer. */
function wordsOf(dialog: QuestionDialog): string {
  return isNumber(dialog) ? "" : dialog.typed.text.trim();
}

/** The chosen answers and the words, as one answer. */
function severalText(dialog: QuestionDialog): string {
  const words = wordsOf(dialog);
  return [...chosenOf(dialog).map(({ name }) => name), ...(words === "" ? [] : [words])].join("; ");
}

/** True if several answers could be chosen, and none is. */
function isNone(dialog: QuestionDialog): boolean {
  const { question, typed } = dialog;
  return question.multiple === true && question.options.length > 0 && typed.isEmpty && chosenOf(dialog).length === 0;
}

/** The answer as the person leaves it, for their return; a mark alone is no answer. */
function draftOf(dialog: QuestionDialog): { draft?: string } {
  const { multiple, given } = dialog.question;
  const draft = severalText(dialog);
  return multiple || draft !== "" || given?.text !== undefined ? { draft } : {};
}

/** A number in the line is dropped as soon as the mark moves on: Enter gives the marked answer. */
function withoutNumber(dialog: QuestionDialog): QuestionDialog {
  return isNumber(dialog) ? { ...dialog, typed: TextBuffer.empty } : dialog;
}

function mark(store: Store, dialog: QuestionDialog, by: number): void {
  const last = dialog.question.options.length - 1;
  show(store, {
    ...withoutNumber(dialog),
    begun: undefined,
    marked: Math.max(0, Math.min(last, markedAnswer(dialog) + by)),
  });
}

function check(store: Store, dialog: QuestionDialog): void {
  const at = markedAnswer(dialog);
  const { checked = [] } = dialog;
  const next = checked.includes(at)
    ? { ...dialog, checked: checked.filter((each) => each !== at) }
    : withChecked(dialog, at);
  change(store, { ...withoutNumber(next), begun: undefined });
}

function withChecked(dialog: QuestionDialog, at: number): QuestionDialog {
  return { ...dialog, checked: [...new Set([...(dialog.checked ?? []), at])] };
}

function change(store: Store, dialog: Dialog): void {
  store.dispatch({ type: "dialogChanged", dialog });
}

/** Scrolls to the marked answer. */
function show(store: Store, dialog: QuestionDialog): void {
  const { scrollToMark: scroll } = questionLayout(dialog, dialogPlaceIn(store.get()));
  change(store, { ...dialog, scroll });
}

function scrollQuestion(store: Store, dialog: QuestionDialog, by: number): void {
  change(store, { ...dialog, ...scrolledBy(by, questionLayout(dialog, dialogPlaceIn(store.get()))) });
}
