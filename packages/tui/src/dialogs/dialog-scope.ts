import type { InputEvent } from "../input/index.ts";
import { permissionKeys } from "../keymap/dialog-keys.ts";
import type { Scope } from "../keymap/scope.ts";
import type { Dialog } from "../state/dialogs.ts";
import { frontDialog } from "../state/selectors.ts";
import type { Store } from "../state/store.ts";
import type { DialogActs } from "./dialog-acts.ts";
import { isWriting } from "./dialog-place.ts";
import type { DialogQueue } from "./dialog-queue.ts";
import { EarlyAnswers } from "./early-answers.ts";
import { beginsMessage, takePermissionKey } from "./permission/permission-keys.ts";
import { takeQuestionKey } from "./question/question-keys.ts";
import { takeReviewKey } from "./review/review-keys.ts";

/** The dialog in view takes every key once it is armed, unless the person writes a message. */
export function dialogScope(store: Store, queue: DialogQueue, acts: DialogActs): Scope {
  const early = new EarlyAnswers(store, queue.arming);
  return (event) => {
    const { composer, ...state } = store.get();
    const dialog = frontDialog({ composer, ...state });
    if (!dialog?.armed) return early.take(event, dialog);
    if (isWriting(dialog, { hasDraft: !composer.buffer.isEmpty })) return takeWhileWriting(store, dialog, event);
    // The last keys of a message that was just sent are no answer either.
    if (event.type === "key" && !dialog.isEntered && !queue.arming.isQuiet()) return early.take(event, dialog);
    if (dialog.kind === "permission" && !dialog.isEntered && beginsMessage(dialog, event)) return false;
    takeDialogKey({ store, queue, acts }, dialog, event);
    if (!store.get().dialogs.some(({ id }) => id === dialog.id)) early.answered(event);
    return true;
  };
}

type Parts = { readonly store: Store; readonly queue: DialogQueue; readonly acts: DialogActs };

function takeDialogKey(parts: Parts, dialog: Dialog, event: InputEvent): void {
  if (dialog.kind === "question") takeQuestionKey(parts.store, parts.queue, dialog, event);
  else if (dialog.permission.review) takeReviewKey(parts, dialog, event);
  else takePermissionKey(parts, dialog, event);
}

/** A draft keeps the keys, but for Escape, which leads to the dialog, and those that scroll. */
function takeWhileWriting(store: Store, dialog: Dialog, event: InputEvent): boolean {
  if (event.type !== "key" || permissionKeys.idOf(event) !== "stop") return false;
  store.dispatch({ type: "dialogChanged", dialog: { ...dialog, isEntered: true } });
  return true;
}
