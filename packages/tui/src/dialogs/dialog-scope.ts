import { type InputEvent, TextBuffer } from "../input/index.ts";
import { permissionKeys } from "../keymap/dialog-keys.ts";
import type { KeyScope } from "../keymap/scope.ts";
import { type Dialog, type PermissionDialog, withoutBegun } from "../state/dialogs.ts";
import { frontDialog } from "../state/selectors.ts";
import type { Store } from "../state/store.ts";
import { isMessage, moveToInput, typedText } from "./begun-message.ts";
import type { DialogDeps } from "./dialog.ts";
import { dialogPlaceIn, isWriting } from "./dialog-layout-input.ts";
import { EarlyAnswers } from "./early-answers.ts";
import { dialogRow } from "./index.ts";

/**
 * The dialog in view takes every key once it is armed, unless the user is writing a message. A first character only
 * marks an answer; a second one turns it into a message, and both go into the input.
 */
export function dialogScope(deps: DialogDeps): KeyScope {
  const { store, queue } = deps;
  const early = new EarlyAnswers(store, queue.arming);
  let markedAtMs = Number.NEGATIVE_INFINITY;
  const settle = (dialog: Dialog): true => {
    if (!store.get().dialogs.some(({ id }) => id === dialog.id)) early.answered(dialog.begun?.text ?? "");
    return true;
  };
  return (event) => {
    const { composer, ...state } = store.get();
    const front = frontDialog({ composer, ...state });
    if (!front?.armed) return early.take(event, front);
    const row = dialogRow(front);
    // Many words begin with the letters of a review.
    const isReview = front.kind === "permission" && front.permission.review !== undefined;
    const hasPaused = isReview ? queue.arming.isLongAfter(markedAtMs) : !queue.arming.isAtOnce(markedAtMs);
    const hasWords = row.takesWords?.(store, front) === true;
    const isOther = typedText(event) !== undefined && typedText(event) !== front.begun?.text;
    const dialog = isOther && !hasWords && queue.arming.isLongAfter(markedAtMs) ? withOpener(front) : front;
    // Pasted text may contain the end mark of a paste: keys right after it are part of the paste.
    const isPasted = queue.arming.isPasted(event);
    if (isWriting(dialog, { hasDraft: !composer.buffer.isEmpty })) return takeWhileWriting(store, dialog, event);
    // The last keys of a message that was just sent are not answers either.
    if (event.type === "key" && !dialog.isEntered && !queue.arming.isQuiet()) return early.take(event, dialog);
    if (!row.hasField(dialog)) {
      if (isPasted && event.type !== "paste") return true;
      if (isMessage(event, dialog.begun, (text) => row.isAnswer(store, dialog, text))) {
        if (typedText(event) === dialog.begun?.text && row.confirm?.(deps, dialog)) return settle(dialog);
        if (dialog.kind !== "permission" || !hasPaused || !hasWords) return leaveToInput(store, dialog, event);
        return beginWords(store, dialog, event);
      }
    }
    if (isScrolling(event) && !row.scrolls(dialog, dialogPlaceIn(store.get()))) return false;
    row.take(deps, dialog, event);
    markedAtMs = queue.arming.clock.now();
    return settle(dialog);
  };
}

/** Characters before a long pause have had their effect: they are only kept for a message. */
function withOpener(dialog: Dialog): Dialog {
  const { begun } = dialog;
  return begun && dialog.kind === "permission"
    ? { ...dialog, begun: { ...begun, text: "", opener: `${begun.opener ?? ""}${begun.text}` } }
    : dialog;
}

/** Keys and the wheel scroll the conversation where the dialog is in view as a whole. */
function isScrolling(event: InputEvent): boolean {
  return event.type === "wheel" || (event.type === "key" && (event.name === "pageup" || event.name === "pagedown"));
}

/** Words after a pause are those of the marked answer; at once they are a message, as in `no, use a loop`. */
function beginWords(store: Store, dialog: PermissionDialog, event: InputEvent): boolean {
  const feedback = TextBuffer.empty.insert(typedText(event) ?? "");
  store.dispatch({ type: "dialogChanged", dialog: { ...dialog, begun: undefined, feedback } });
  return true;
}

/** Restores the mark, and gives the keys to the draft. False: the input must handle the event. */
function leaveToInput(store: Store, dialog: Dialog, event: InputEvent): boolean {
  store.dispatch({ type: "dialogChanged", dialog: { ...withoutBegun(dialog), isEntered: false } });
  return moveToInput(store, dialog.begun, event);
}

/** A draft keeps the keys, except for Escape, which leads to the dialog, and those that scroll. */
function takeWhileWriting(store: Store, dialog: Dialog, event: InputEvent): boolean {
  if (event.type !== "key" || permissionKeys.idOf(event) !== "stop") return false;
  store.dispatch({ type: "dialogChanged", dialog: { ...dialog, isEntered: true } });
  return true;
}
