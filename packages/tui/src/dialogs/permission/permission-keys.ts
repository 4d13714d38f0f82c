import { type InputEvent, TextBuffer } from "../../input/index.ts";
import { permissionKeys, reviewKeys } from "../../keymap/dialog-keys.ts";
import { denial, isAnswerLetter, type PermissionDialog } from "../../state/dialogs.ts";
import type { Store } from "../../state/store.ts";
import { lineEdited } from "../../widgets/line-edits.ts";
import type { DialogActs } from "../dialog-acts.ts";
import { dialogPlaceIn } from "../dialog-place.ts";
import type { DialogQueue } from "../dialog-queue.ts";
import { rowsToScroll, scrolledBy, WHEEL_ROWS, wasSeen } from "../scroll-body.ts";
import type { OfferedAnswer } from "./offered-answers.ts";
import { type PermissionLayout, permissionLayout } from "./permission-layout.ts";

/**
 * A letter that answers no dialog begins a message, and so does what begins a command: what follows it must not be
 * taken for an answer either.
 */
export function beginsMessage({ feedback, permission }: PermissionDialog, event: InputEvent): boolean {
  if (feedback || event.type !== "key" || event.ctrl || event.alt || event.meta) return false;
  const keys = permission.review ? reviewKeys : permissionKeys;
  return /^[\p{L}/!@]$/u.test(event.text) && !isAnswerLetter(event.text) && keys.idOf(event) === undefined;
}

type Parts = { readonly store: Store; readonly queue: DialogQueue; readonly acts: DialogActs };

/** Keys of a permission dialog that is armed. A key that means nothing to it is swallowed: none falls through. */
export function takePermissionKey(parts: Parts, dialog: PermissionDialog, event: InputEvent): void {
  const { store, queue } = parts;
  if (event.type === "wheel") {
    scrollBody(parts, dialog, event.direction * WHEEL_ROWS);
    return;
  }
  if ((event.type !== "key" && event.type !== "paste") || dialog.isStopping) return;
  if (dialog.feedback) {
    takeReason(store, queue, { dialog, feedback: dialog.feedback }, event);
    return;
  }
  if (queue.arming.isPasted(event) || event.type === "paste") return;
  const layout = layoutOf(store, dialog);
  const action = permissionKeys.idOf(event);
  if (action === "explain") change(store, { ...dialog, feedback: TextBuffer.empty });
  else if (action === "stop") stop(parts, dialog);
  else if (action === "take") take(parts, dialog, layout.offered[layout.marked]);
  else if (action === "previous") change(store, { ...dialog, marked: Math.max(0, layout.marked - 1) });
  else if (action === "next")
    change(store, { ...dialog, marked: Math.min(layout.offered.length - 1, layout.marked + 1) });
  else if (action !== undefined) scrollBody(parts, dialog, rowsToScroll(action, layout));
  else if (!event.ctrl && !event.alt && !event.meta)
    take(
      parts,
      dialog,
      layout.offered.find(({ characters }) => characters.includes(event.text)),
    );
}

function take(parts: Parts, dialog: PermissionDialog, answer: OfferedAnswer | undefined): void {
  const { store, queue, acts } = parts;
  if (!answer) return;
  const { act, needsEnd } = answer;
  // The end of the body shows what a lasting answer covers, and a lasting denial too.
  if (needsEnd && !wasSeen(dialog, layoutOf(store, dialog), queue.arming)) {
    change(store, { ...dialog, tooEarly: true });
    return;
  }
  if (act.do === "option") queue.answer(dialog.id, { outcome: "selected", optionId: act.option.optionId });
  else if (act.do === "explain") change(store, { ...dialog, feedback: TextBuffer.empty });
  else if (act.do === "stop") stop(parts, dialog);
  else acts.allowEdits();
}

/** The turn is stopped before the call is denied, so that the model is not asked once more in between. */
function stop({ store, queue, acts }: Parts, dialog: PermissionDialog): void {
  change(store, { ...dialog, isStopping: true });
  void acts.stopTurnOf(dialog).finally(() => queue.answer(dialog.id, denial(dialog.permission)));
}

function layoutOf(store: Store, dialog: PermissionDialog): PermissionLayout {
  return permissionLayout(dialog, dialogPlaceIn(store.get()));
}

function scrollBody({ store, queue }: Parts, dialog: PermissionDialog, by: number): void {
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
