import { type InputEvent, type KeyEvent, TextBuffer } from "../../input/index.ts";
import { permissionKeys } from "../../keymap/dialog-keys.ts";
import { onLatinKey } from "../../keymap/keyboard-layouts.ts";
import { inputKeys } from "../../keymap/shared-keys.ts";
import { type Dialog, denial, type PermissionDialog, readingEndKey, withoutBegun } from "../../state/dialogs.ts";
import type { Store } from "../../state/store.ts";
import { typedText } from "../begun-message.ts";
import type { DialogDeps } from "../dialog.ts";
import { dialogPlaceIn } from "../dialog-layout-input.ts";
import { rowsToScroll, scrolledBy, WHEEL_ROWS } from "../scroll-body.ts";
import { type OfferedAnswer, offeredAnswers } from "./offered-answers.ts";
import { type PermissionLayout, permissionLayout } from "./permission-layout.ts";

/** Characters that, typed twice, begin no word. */
const DOUBLED = /^[yna]$/i;

/** True if a text by itself marks an answer of this card. */
export function isPermissionAnswer(store: Store, dialog: PermissionDialog, text: string): boolean {
  return isBound(store, text) || listsOf(store, dialog).some((each) => answerAt(each, text) >= 0);
}

/** True for a key without a modifier that the user has bound to an action of the card. */
function isBound(store: Store, text: string): boolean {
  return store.get().keymap.idOfTyped(permissionKeys.where, text) !== undefined;
}

function answerAt({ offered }: Pick<PermissionLayout, "offered">, text: string): number {
  return offered.findIndex(({ characters }) => characters.includes(onLatinKey(text)));
}

/** The lists of answers, the one in view first. */
function listsOf(store: Store, dialog: PermissionDialog): { isMore: boolean; offered: readonly OfferedAnswer[] }[] {
  const { isMore = false } = dialog;
  const place = dialogPlaceIn(store.get());
  return [isMore, !isMore].map((each) => ({
    isMore: each,
    offered: offeredAnswers({ ...dialog, isMore: each }, place),
  }));
}

/**
 * Keys of an armed permission dialog. Keys without a meaning are swallowed: none falls through. A character marks an
 * answer; Enter, the same one again, and keys that type nothing give one.
 */
export function takePermissionKey(deps: DialogDeps, dialog: PermissionDialog, event: InputEvent): void {
  const { store } = deps;
  if (event.type === "wheel") {
    scrollBody(deps, dialog, event.direction * WHEEL_ROWS);
    return;
  }
  if ((event.type !== "key" && event.type !== "paste") || dialog.isStopping) return;
  if (dialog.feedback) {
    takeReason(deps, { dialog, feedback: dialog.feedback }, event);
    return;
  }
  if (event.type === "paste") return;
  const layout = layoutOf(store, dialog);
  const action = permissionKeys.idOf(event);
  const text = typedText(event);
  if (action === "explain" && text === undefined) change(store, { ...dialog, feedback: TextBuffer.empty });
  else if (action === "explain" || (action === undefined && text !== undefined)) markTyped(store, dialog, text ?? "");
  else if (action === "stop" && dialog.isMore)
    change(store, { ...dialog, isMore: false, marked: undefined, begun: undefined });
  else if (action === "stop") stop(deps, dialog);
  else if (action === "take") enter(deps, dialog, event);
  else if (action === "previous") moveMark(store, dialog, Math.max(0, layout.marked - 1));
  else if (action === "next") moveMark(store, dialog, Math.min(layout.offered.length - 1, layout.marked + 1));
  else if (action !== undefined) scrollBody(deps, dialog, rowsToScroll(action, layout));
  else if (inputKeys.idOf(event) === "deleteBack") change(store, withoutBegun(dialog));
}

/** Marks the answer that a character means; an answer of the other list brings that list into view. */
function markTyped(store: Store, dialog: PermissionDialog, text: string): void {
  const isExplain = store.get().keymap.idOfTyped(permissionKeys.where, text) === "explain";
  const wanted = ({ act, characters }: OfferedAnswer) =>
    isExplain ? act.do === "explain" : characters.includes(onLatinKey(text));
  const list = listsOf(store, dialog).find(({ offered }) => offered.some(wanted));
  if (!list) return;
  const at = list.offered.findIndex(wanted);
  // After earlier characters the dialog returns to how it was before them.
  const begun =
    dialog.begun?.opener === undefined
      ? { text, before: dialog.marked, wasMore: dialog.isMore ?? false }
      : { ...dialog.begun, text };
  const isMore = list.isMore || list.offered[at]?.act.do === "more";
  change(store, { ...dialog, isMore, marked: isMore && !list.isMore ? 0 : at, begun });
}

function moveMark(store: Store, dialog: PermissionDialog, marked: number): void {
  change(store, { ...dialog, marked, begun: undefined });
}

/** Enter gives the marked answer once the user sees the mark; before that it may belong to a message. */
function enter(deps: DialogDeps, dialog: PermissionDialog, { endsBurst }: KeyEvent): void {
  const { store, queue } = deps;
  const { offered, marked, cut } = layoutOf(store, dialog);
  const answer = offered[marked];
  if (!endsBurst && queue.isShown(dialog) && answer && cut.includes(answer)) showInFull(store, dialog, answer);
  else if (!endsBurst && queue.isShown(dialog)) take(deps, { ...dialog, begun: undefined }, answer);
  else if (dialog.begun) change(store, { ...dialog, begun: { ...dialog.begun, text: `${dialog.begun.text}\n` } });
}

/** `yy`, `nn` and `aa` give what their first character has marked; no word begins with them. A doubled no has no words. */
export function confirmMarked(deps: DialogDeps, dialog: PermissionDialog): boolean {
  const { offered, marked, cut } = layoutOf(deps.store, dialog);
  const answer = offered[marked];
  const { act } = answer ?? {};
  const isNo = act?.do === "explain";
  const isConfirmed = isNo || act?.do === "allowEdits" || (act?.do === "option" && act.option.kind !== "reject_always");
  if (!answer || !isConfirmed || !DOUBLED.test(onLatinKey(dialog.begun?.text ?? ""))) return false;
  if (!isMeant(deps.store, dialog, answer) || !deps.queue.isShown(dialog)) return false;
  if (cut.includes(answer)) showInFull(deps.store, dialog, answer);
  else if (isNo) deps.queue.answer(dialog.id, denial(dialog.permission));
  else take(deps, { ...dialog, begun: undefined }, answer);
  return true;
}

/** True if `n` has marked the answer that has words of its own. */
export function takesWords(store: Store, dialog: PermissionDialog): boolean {
  const { offered, marked } = layoutOf(store, dialog);
  const answer = offered[marked];
  const isNo = onLatinKey(dialog.begun?.text ?? "").toLowerCase() === "n";
  return isNo && answer?.act.do === "explain" && isMeant(store, dialog, answer);
}

/** True if the typed character means this answer; `m` marks the first of the others, which it does not mean. */
function isMeant(store: Store, { begun }: PermissionDialog, { act, characters }: OfferedAnswer): boolean {
  if (!begun) return false;
  const isExplain = store.get().keymap.idOfTyped(permissionKeys.where, begun.text) === "explain";
  return isExplain ? act.do === "explain" : characters.includes(onLatinKey(begun.text));
}

/** Shows all that a lasting answer covers, before it can be given. */
function showInFull(store: Store, dialog: PermissionDialog, answer: OfferedAnswer): void {
  const more = offeredAnswers({ ...dialog, isMore: true }, dialogPlaceIn(store.get()));
  const marked = Math.max(
    0,
    more.findIndex(({ names: [name] }) => name === answer.names[0]),
  );
  change(store, { ...dialog, begun: undefined, isMore: true, marked });
}

function take(deps: DialogDeps, dialog: PermissionDialog, answer: OfferedAnswer | undefined): void {
  const { store, queue, acts } = deps;
  if (!answer) return;
  const { act, needsEnd } = answer;
  // Nothing is allowed, and nothing is denied for good, before all of the request was shown.
  if (needsEnd && !queue.wasRead(readingEndKey(dialog))) {
    change(store, { ...dialog, isMore: false, marked: undefined, tooEarly: true });
    return;
  }
  if (act.do === "option") queue.answer(dialog.id, { outcome: "selected", optionId: act.option.optionId });
  else if (act.do === "explain") change(store, { ...dialog, feedback: TextBuffer.empty });
  else if (act.do === "stop") stop(deps, dialog);
  else if (act.do === "more") change(store, { ...dialog, isMore: true, marked: 0 });
  else {
    queue.expectModeChange();
    acts.allowEdits();
  }
}

/** The turn is stopped before the call is denied, so that the model is not asked again in between. */
function stop({ store, queue, acts }: DialogDeps, dialog: PermissionDialog): void {
  change(store, { ...dialog, isStopping: true });
  void acts.stopTurnOf(dialog).finally(() => queue.answer(dialog.id, denial(dialog.permission)));
}

function layoutOf(store: Store, dialog: PermissionDialog): PermissionLayout {
  return permissionLayout(dialog, dialogPlaceIn(store.get()));
}

function scrollBody({ store }: DialogDeps, dialog: PermissionDialog, by: number): void {
  change(store, { ...dialog, ...scrolledBy(by, layoutOf(store, dialog)) });
}

/** Keys while the reason for a denial is being typed. */
function takeReason(
  { store, queue, lines }: DialogDeps,
  { dialog, feedback }: { dialog: PermissionDialog; feedback: TextBuffer },
  event: InputEvent,
): void {
  if (lines.keepsOpen(feedback, event)) return;
  const name = event.type === "key" ? event.name : "";
  if (name === "enter") {
    queue.answer(dialog.id, denial(dialog.permission, feedback.text));
    return;
  }
  if (name === "escape") {
    change(store, { ...dialog, feedback: undefined });
    return;
  }
  const next = lines.edit(feedback, event);
  if (next) change(store, { ...dialog, feedback: next });
}

function change(store: Store, dialog: Dialog): void {
  store.dispatch({ type: "dialogChanged", dialog });
}
