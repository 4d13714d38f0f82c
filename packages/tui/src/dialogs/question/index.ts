import type { QuestionDialog } from "../../state/dialogs.ts";
import type { DialogRow } from "../dialog.ts";
import { isQuestionAnswer, takeQuestionKey } from "./question-keys.ts";
import { questionLayout } from "./question-layout.ts";
import { questionRows } from "./question-rows.ts";

export const question: DialogRow<QuestionDialog> = {
  rows: questionRows,
  take: takeQuestionKey,
  isAnswer: (_, dialog, text) => isQuestionAnswer(dialog, text),
  scrolls: (dialog, place) => questionLayout(dialog, place).maxScroll > 0,
  hasField: ({ question: { freeText } }) => freeText,
};
