import type { Scope } from "../keymap/scope.ts";
import { frontDialog } from "../state/selectors.ts";
import type { Store } from "../state/store.ts";
import type { DialogQueue } from "./dialog-queue.ts";
import { takePermissionKey } from "./permission/permission-keys.ts";
import { takeQuestionKey } from "./question/question-keys.ts";

/** The dialog in view takes every key once it is armed. */
export function dialogScope(store: Store, queue: DialogQueue): Scope {
  return (event) => {
    const dialog = frontDialog(store.get());
    if (!dialog?.armed) return false;
    if (dialog.kind === "permission") takePermissionKey(store, queue, dialog, event);
    else takeQuestionKey(store, queue, dialog, event);
    return true;
  };
}
