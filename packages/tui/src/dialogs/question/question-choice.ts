import type { Question } from "@harness/client";
import type { QuestionDialog } from "../../state/dialogs.ts";

/** The marked answer: the best comes first. */
export function markedAnswer({ question, marked = 0 }: QuestionDialog): number {
  return Math.max(0, Math.min(question.options.length - 1, marked));
}

/** The answer whose number is the entire line; undefined: the line is something else. */
export function numbered({ options }: Question, line: string): number | undefined {
  const text = line.trim();
  const at = Number(text) - 1;
  return /^[1-9]\d?$/.test(text) && at < options.length ? at : undefined;
}

/** The checked answers in their order, if several may be given. */
export function chosenOf({ question, checked = [] }: QuestionDialog): Question["options"] {
  return question.multiple ? question.options.filter((_, at) => checked.includes(at)) : [];
}

/** True if the line only marks an answer. */
export function isNumber({ question, typed }: QuestionDialog): boolean {
  return numbered(question, typed.text) !== undefined;
}
