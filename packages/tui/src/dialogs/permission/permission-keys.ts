import { type InputEvent, TextBuffer } from "../../input/index.ts";
import { keyTable } from "../../keymap/key-table.ts";
import { denial, optionOfKey, type PermissionDialog } from "../../state/dialogs.ts";
import type { Store } from "../../state/store.ts";
import { lineEdited } from "../../widgets/line-edits.ts";
import { dialogPlaceIn } from "../dialog-place.ts";
import type { DialogQueue } from "../dialog-queue.ts";
import { bodyKeys, rowsToScroll, scrolledBy, WHEEL_ROWS, wasSeen } from "../scroll-body.ts";
import { type PermissionLayout, permissionLayout } from "./permission-layout.ts";

export const permissionKeys = keyTable("permission", [
  { id: "feedback", keys: ["w"], doc: "Deny, with words for the model" },
  { id: "deny", keys: ["escape", "enter"], doc: "Deny once" },
  ...bodyKeys,
  { id: "last", keys: ["end"], doc: "The end; nothing can be allowed before it was in view" },
]);

/** Keys of a permission dialog that is armed. A key that means nothing to it is swallowed: none falls through. */
export function takePermissionKey(store: Store, queue: DialogQueue, dialog: PermissionDialog, event: InputEvent): void {
  if (event.type === "wheel") {
    scrollBody(store, queue, dialog, event.direction * WHEEL_ROWS);
    return;
  }
  if (event.type !== "key" && event.type !== "paste") return;
  if (dialog.feedback) {
    takeReason(store, queue, { dialog, feedback: dialog.feedback }, event);
    return;
  }
  if (queue.arming.isPasted(event) || event.type === "paste") return;
  const action = permissionKeys.idOf(event);
  if (action === "feedback") {
    change(store, { ...dialog, feedback: TextBuffer.empty });
    return;
  }
  if (action === "deny") {
    queue.answer(dialog.id, denial(dialog.permission));
    return;
  }
  if (action !== undefined) {
    scrollBody(store, queue, dialog, rowsToScroll(action, layoutOf(store, dialog)));
    return;
  }
  if (event.ctrl || event.alt || event.meta) return;
  const option = optionOfKey(dialog.permission, event.text);
  if (!option) return;
  // The end of the body shows what a lasting answer covers, and a lasting denial too.
  if (option.kind !== "reject_once" && !wasSeen(dialog, layoutOf(store, dialog), queue.arming)) {
    change(store, { ...dialog, tooEarly: true });
    return;
  }
  queue.answer(dialog.id, { outcome: "selected", optionId: option.optionId });
}

function layoutOf(store: Store, dialog: PermissionDialog): PermissionLayout {
  return permissionLayout(dialog, dialogPlaceIn(store.get()));
}

function scrollBody(store: Store, queue: DialogQueue, dialog: PermissionDialog, by: number): void {
  change(store, { ...dialog, ...scrolledBy(by, dialog, layoutOf(store, dialog), queue.arming.clock.now()) });
}

/** Keys while the reason for a denial is typed. */
function takeReason(
  store: Store,
  queue: DialogQueue,
  { dialog, feedback }: { dialog: PermissionDialog; feedback: TextBuffer },
  event: InputEvent,
): void {
  const name = event.type === "key" ? event.name : "";
  if (name === "enter") {
    queue.answer(dialog.id, denial(dialog.permission, feedback.text));
    return;
  }
  if (name === "escape") {
    change(store, { ...dialog, feedback: undefined });
    return;
  }
  const next = lineEdited(feedback, event);
  if (next) change(store, { ...dialog, feedback: next });
}

function change(store: Store, dialog: PermissionDialog): void {
  store.dispatch({ type: "dialogChanged", dialog });
}
