import { type PermissionDialog, readingEndKey } from "../../state/dialogs.ts";
import type { DialogRow } from "../dialog.ts";
import { confirmChoice, isReviewAnswer, takeReviewKey } from "./review-keys.ts";
import { reviewLayout, reviewRows } from "./review-rows.ts";

export const review: DialogRow<PermissionDialog> = {
  rows: reviewRows,
  confirm: confirmChoice,
  // The words of a rejection.
  takesWords: (_, { begun, choice }) => begun !== undefined && (choice === "explain" || choice === "rejectHunk"),
  take: takeReviewKey,
  isAnswer: (store, _, text) => isReviewAnswer(text, store.get().keymap),
  scrolls: (dialog, place) => reviewLayout(dialog, place).maxScroll > 0,
  hasField: ({ feedback }) => feedback !== undefined,
  endInView: (dialog, place) => (reviewLayout(dialog, place).hidden === 0 ? readingEndKey(dialog) : undefined),
};
