import { decideHunk, isDecided, NO_PROGRESS, reviewOutcome } from "@harness/client/actions";
import { type InputEvent, type KeyEvent, TextBuffer } from "../../input/index.ts";
import { reviewKeys } from "../../keymap/dialog-keys.ts";
import { onLatinKey } from "../../keymap/keyboard-layouts.ts";
import type { Keymap } from "../../keymap/keymap.ts";
import { inputKeys } from "../../keymap/shared-keys.ts";
import {
  type Dialog,
  type PermissionDialog,
  type ReviewChoice,
  readingEndKey,
  withoutBegun,
} from "../../state/dialogs.ts";
import type { Store } from "../../state/store.ts";
import { typedText } from "../begun-message.ts";
import type { DialogDeps } from "../dialog.ts";
import { dialogPlaceIn } from "../dialog-layout-input.ts";
import { rowsToScroll, scrolledBy, WHEEL_ROWS } from "../scroll-body.ts";
import { isConfirmable } from "./review-choice.ts";
import { reviewLayout } from "./review-rows.ts";

/** Keys of an armed review. Keys without a meaning are swallowed: none falls through. */
export function takeReviewKey(deps: DialogDeps, dialog: PermissionDialog, event: InputEvent): void {
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
  const action = reviewKeys.idOf(event);
  const text = typedText(event);
  if (action === "apply") enter(deps, dialog, event);
  else if (text !== undefined && isChoice(action))
    change(store, { ...dialog, choice: action, begun: { before: undefined, ...dialog.begun, text } });
  else if (inputKeys.idOf(event) === "deleteBack") change(store, withoutBegun(dialog));
  else actOn(action, deps, dialog);
}

/** True if a text by itself marks an answer of a review. */
export function isReviewAnswer(text: string, keymap: Pick<Keymap, "idOfTyped">): boolean {
  return keymap.idOfTyped(reviewKeys.where, text) !== undefined;
}

const choices: readonly ReviewChoice[] = ["takeHunk", "rejectHunk", "explain", "edit", "takeRest", "rejectRest"];

function isChoice(action: ReturnType<typeof reviewKeys.idOf>): action is ReviewChoice {
  return choices.some((each) => each === action);
}

/** Enter gives the marked answer once the user sees the mark; before that it may belong to a message. */
function enter(deps: DialogDeps, dialog: PermissionDialog, { endsBurst }: KeyEvent): void {
  const { choice = "apply", begun } = dialog;
  const plain = { ...dialog, choice: undefined, begun: undefined };
  if (!endsBurst && deps.queue.isShown(dialog)) actOn(choice, deps, plain);
  else if (begun) change(deps.store, { ...dialog, begun: { ...begun, text: `${begun.text}\n` } });
}

/** `yy` and `nn` take and reject the change in view. */
export function confirmChoice(deps: DialogDeps, dialog: PermissionDialog): boolean {
  const { choice, begun } = dialog;
  if (
    !choice ||
    !isConfirmable(choice) ||
    !/^[yn]$/i.test(onLatinKey(begun?.text ?? "")) ||
    !deps.queue.isShown(dialog)
  )
    return false;
  actOn(choice, deps, { ...dialog, choice: undefined, begun: undefined });
  return true;
}

function actOn(action: ReturnType<typeof reviewKeys.idOf>, deps: DialogDeps, dialog: PermissionDialog): void {
  const { store, queue } = deps;
  const { permission, review: progress = NO_PROGRESS } = dialog;
  const end = (rest: "allow_once" | "reject_once"): void =>
    queue.answer(dialog.id, reviewOutcome(permission, progress, rest));
  if (action === undefined) return;
  if (action === "previous" || action === "next") moveTo(store, dialog, progress.at + (action === "next" ? 1 : -1));
  else if (action === "takeHunk") takeHunk(deps, dialog);
  else if (action === "rejectHunk") decide(store, dialog, { take: false });
  else if (action === "explain") change(store, { ...dialog, feedback: TextBuffer.empty });
  else if (action === "edit") void edit(deps, dialog);
  else if (action === "takeRest") end("allow_once");
  else if (action === "rejectRest") end("reject_once");
  else if (action === "stop") stop(deps, dialog);
  else if (action !== "apply")
    scrollBody(deps, dialog, rowsToScroll(action, reviewLayout(dialog, dialogPlaceIn(store.get()))));
  else if (isDecided(permission, progress)) end("reject_once");
  else takeHunk(deps, dialog);
}

/** Nothing is accepted before its end was shown. */
function takeHunk({ store, queue }: DialogDeps, dialog: PermissionDialog): void {
  if (queue.wasRead(readingEndKey(dialog))) decide(store, dialog, { take: true });
  else change(store, { ...dialog, tooEarly: true });
}

function moveTo(store: Store, dialog: PermissionDialog, at: number): void {
  const { review: progress = NO_PROGRESS, permission } = dialog;
  const last = (permission.review?.length ?? 1) - 1;
  change(store, { ...dialog, ...UNREAD, review: { ...progress, at: Math.max(0, Math.min(last, at)) } });
}

/** The initial view of a change. */
const UNREAD = { scroll: 0, tooEarly: false, choice: undefined, begun: undefined };

function decide(store: Store, dialog: PermissionDialog, answer: Parameters<typeof decideHunk>[2]): void {
  const { review: progress = NO_PROGRESS, permission } = dialog;
  change(store, {
    ...dialog,
    ...UNREAD,
    feedback: undefined,
    review: decideHunk(progress, permission.review ?? [], answer),
  });
}

/** The dialog may have been withdrawn while the editor was open. */
async function edit({ store, acts }: DialogDeps, dialog: PermissionDialog): Promise<void> {
  const { review: progress = NO_PROGRESS, permission } = dialog;
  const hunk = permission.review?.[progress.at];
  if (!hunk) return;
  const text = progress.answers.get(hunk.hunkId)?.text ?? hunk.after;
  const edited = await acts.editText(text.replace(/\n$/, ""));
  if ("problem" in edited) {
    store.note("warning", edited.problem, "turn");
    return;
  }
  const now = store.get().dialogs.find(({ id }) => id === dialog.id);
  if (now?.kind !== "permission") return;
  const end = text.endsWith("\n") && edited.text !== "" ? "\n" : "";
  decide(store, { ...now, review: progress }, { take: true, text: edited.text + end });
}

/** The turn is stopped first, so that the model is not asked again in between. */
function stop({ store, queue, acts }: DialogDeps, dialog: PermissionDialog): void {
  change(store, { ...dialog, isStopping: true });
  void acts.stopTurnOf(dialog).finally(() => queue.answer(dialog.id, { outcome: "cancelled" }));
}

function scrollBody({ store }: DialogDeps, dialog: PermissionDialog, by: number): void {
  change(store, { ...dialog, ...scrolledBy(by, reviewLayout(dialog, dialogPlaceIn(store.get()))) });
}

/** Keys while the reason for a rejection is being typed. */
function takeReason(
  { store, lines }: DialogDeps,
  { dialog, feedback }: { dialog: PermissionDialog; feedback: TextBuffer },
  event: InputEvent,
): void {
  if (lines.keepsOpen(feedback, event)) return;
  const name = event.type === "key" ? event.name : "";
  if (name === "enter") {
    const words = feedback.text.trim();
    decide(store, dialog, { take: false, ...(words === "" ? {} : { feedback: words }) });
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
