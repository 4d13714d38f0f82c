import type { InputEvent, KeyEvent } from "../../input/index.ts";
import { keyTable } from "../../keymap/key-table.ts";
import type { QuestionDialog } from "../../state/dialogs.ts";
import type { Store } from "../../state/store.ts";
import { lineEdited } from "../../widgets/line-edits.ts";
import { dialogPlaceIn } from "../dialog-place.ts";
import type { DialogQueue } from "../dialog-queue.ts";
import { scrolledBy, WHEEL_ROWS } from "../scroll-body.ts";
import { questionLayout } from "./question-layout.ts";

export const questionKeys = keyTable("question", [
  { id: "decline", keys: ["escape"], doc: "Give no answer" },
  { id: "answer", keys: ["enter"], doc: "Send the words typed" },
  { id: "pageUp", keys: ["pageup", "shift+up"], doc: "A page up" },
  { id: "pageDown", keys: ["pagedown", "shift+down"], doc: "A page down" },
]);

/** Keys of a question dialog that is armed. */
export function takeQuestionKey(store: Store, queue: DialogQueue, dialog: QuestionDialog, event: InputEvent): void {
  if (event.type === "wheel") {
    scrollQuestion(store, dialog, event.direction * WHEEL_ROWS);
    return;
  }
  if (event.type !== "key" && event.type !== "paste") return;
  const { question, typed } = dialog;
  const option = event.type === "key" && typed.isEmpty ? numbered(question.options, event) : undefined;
  if (option) {
    queue.answer(dialog.id, { action: "accept", optionId: option.optionId });
    return;
  }
  const action = questionKeys.idOf(event);
  if (action === "decline") {
    queue.answer(dialog.id, { action: "decline" });
    return;
  }
  if (action === "pageUp" || action === "pageDown") {
    const { page } = questionLayout(dialog, dialogPlaceIn(store.get()));
    scrollQuestion(store, dialog, action === "pageUp" ? -page : page);
    return;
  }
  if (!question.freeText) return;
  if (action === "answer") {
    const text = typed.text.trim();
    if (text !== "") queue.answer(dialog.id, { action: "accept", text });
    return;
  }
  const next = lineEdited(typed, event);
  if (next) store.dispatch({ type: "dialogChanged", dialog: { ...dialog, typed: next } });
}

function numbered<T>(options: readonly T[], { text }: KeyEvent): T | undefined {
  return /^[1-9]$/.test(text) ? options[Number(text) - 1] : undefined;
}

function scrollQuestion(store: Store, dialog: QuestionDialog, by: number): void {
  const { scroll } = scrolledBy(by, dialog, questionLayout(dialog, dialogPlaceIn(store.get())), 0);
  store.dispatch({ type: "dialogChanged", dialog: { ...dialog, scroll } });
}
