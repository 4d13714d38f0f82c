import type { Question } from "@harness/client";
import { progressAgain } from "@harness/client/actions";
import type {
  ClientMethods,
  Permission,
  PermissionOutcome,
  Result,
  SessionUpdate,
  UpdateView,
} from "@harness/protocol";
import type { AppState } from "../state/app-state.ts";
import { emptied } from "../state/composer.ts";
import {
  type Dialog,
  isEarlyAnswer,
  type PermissionDialog,
  permissionDialog,
  questionDialog,
} from "../state/dialogs.ts";
import { frontDialog } from "../state/selectors.ts";
import type { Store } from "../state/store.ts";
import type { AnswerGuard } from "./answer-guard.ts";
import { type Acknowledge, DialogVisibility } from "./dialog-visibility.ts";
import { permissionEndText } from "./permission-end.ts";

type QuestionAnswer = Result<ClientMethods, "elicitation/create">;
export type DialogAnswer = PermissionOutcome | QuestionAnswer;

/** Withdrawn requests whose reason has not arrived yet. */
const MAX_WITHDRAWN = 50;

/**
 * How the window learns what the user has seen. `endInView`: the key of the end that a frame shows; undefined: there is
 * more below.
 */
type Sight = { acknowledge: Acknowledge; endInView(dialog: Dialog, state: AppState): string | undefined };

/** The server's requests to the user: shows them one after another and returns the answers. */
export class DialogQueue implements UpdateView {
  readonly #store: Store;
  /** Decides when a key may answer the dialog in view. */
  readonly arming: AnswerGuard;
  readonly #waiting = new Map<string, (answer: DialogAnswer) => void>();
  /** Requests that the server withdrew; the fact with the reason may come later. */
  readonly #withdrawn = new Map<string, Permission>();
  /** Requests that were open when an answer changed the mode. */
  #decidedByMode: ReadonlySet<string> = new Set();
  /** By session, the review that the user left for later, with its decisions. */
  readonly #leftReviews = new Map<string, PermissionDialog>();
  #front: string | undefined;
  /** The last dialog in front. */
  #last: string | undefined;
  #stopArming: (() => void) | undefined;
  readonly #sight: DialogVisibility<Dialog>;
  readonly #endInView: Sight["endInView"];

  constructor(store: Store, arming: AnswerGuard, { acknowledge, endInView }: Sight) {
    this.#store = store;
    this.#endInView = endInView;
    this.arming = arming;
    this.#sight = new DialogVisibility(arming, acknowledge);
    store.subscribe(() => this.#watch());
  }

  askPermission(sessionId: string, permission: Permission, signal: AbortSignal): Promise<PermissionOutcome> {
    return this.#ask(this.#asLeft(permissionDialog(sessionId, permission)), signal, { outcome: "cancelled" });
  }

  askQuestion(question: Question, signal: AbortSignal): Promise<QuestionAnswer> {
    return this.#ask(questionDialog(question), signal, { action: "cancel" });
  }

  answer(id: string, answer: DialogAnswer): void {
    this.#waiting.get(id)?.(answer);
  }

  /** An answer that changes the mode decides all open requests, so that their ends need no note. */
  expectModeChange(): void {
    this.#decidedByMode = new Set(this.#store.get().dialogs.map(({ id }) => id));
  }

  /** A session's facts say who answered a permission request elsewhere, or why it was withdrawn. */
  see({ update }: SessionUpdate): void {
    if (update.sessionUpdate !== "permission_resolved") return;
    const { permissionId } = update;
    const open = this.#store.get().dialogs.find(({ id }) => id === permissionId);
    const permission = this.#withdrawn.get(permissionId) ?? (open?.kind === "permission" ? open.permission : undefined);
    this.#withdrawn.delete(permissionId);
    // Without a permission, the request was answered here, or never shown.
    const isExpected = update.reason === "mode_changed" && this.#decidedByMode.has(permissionId);
    const text = permission && !isExpected ? permissionEndText(permission, update) : undefined;
    if (text !== undefined) this.#store.note("info", text, "turn");
    this.#waiting.get(permissionId)?.({ outcome: "cancelled" });
  }

  /** The server has exited and will ask again after its restart. */
  /** `isKept`: whether those of a session stay. */
  withdrawAll(isKept: (sessionId: string) => boolean = () => false): void {
    for (const { id, sessionId } of this.#store.get().dialogs) {
      if (isKept(sessionId)) continue;
      this.#store.dispatch({ type: "dialogRemoved", id });
      this.#waiting.delete(id);
    }
    this.#withdrawn.clear();
  }

  #ask<A extends DialogAnswer>(dialog: Dialog, signal: AbortSignal, withdrawn: A): Promise<A> {
    const store = this.#store;
    return new Promise((resolve) => {
      const settle = (answer: DialogAnswer): void => {
        signal.removeEventListener("abort", withdraw);
        this.#waiting.delete(dialog.id);
        this.#keepReview(dialog.id, answer);
        store.dispatch({ type: "dialogRemoved", id: dialog.id });
        // The answer fits the dialog's kind, which the type of the map does not show.
        resolve(answer as A);
      };
      const withdraw = (): void => {
        this.#noteWithdrawn(dialog);
        settle(withdrawn);
      };
      if (signal.aborted) return resolve(withdrawn);
      signal.addEventListener("abort", withdraw, { once: true });
      this.#waiting.set(dialog.id, settle);
      store.dispatch({ type: "dialogAdded", dialog: this.#withoutEarlyKeys(dialog) });
    });
  }

  #asLeft(dialog: PermissionDialog): PermissionDialog {
    const { review } = dialog.permission;
    const left = this.#leftReviews.get(dialog.sessionId);
    return review && left?.review ? { ...dialog, review: progressAgain(left.permission, left.review, review) } : dialog;
  }

  #keepReview(id: string, answer: DialogAnswer): void {
    const dialog = this.#store.get().dialogs.find((each) => each.id === id);
    if (dialog?.kind !== "permission" || !dialog.permission.review) return;
    if ("outcome" in answer && answer.outcome === "cancelled") this.#leftReviews.set(dialog.sessionId, dialog);
    else this.#leftReviews.delete(dialog.sessionId);
  }

  /** Drops a draft of answers alone: it was typed too early for the question that is asked now. */
  #withoutEarlyKeys(dialog: Dialog): Dialog {
    const { composer, dialogs } = this.#store.get();
    const { text } = composer.buffer;
    const isEarly = dialog.kind === "permission" && dialogs.length === 0 && isEarlyAnswer(text);
    if (!isEarly) return dialog;
    this.#store.set({ composer: emptied(composer) });
    return { ...dialog, early: text };
  }

  #noteWithdrawn(dialog: Dialog): void {
    if (dialog.kind === "permission") {
      this.#keepWithdrawn(dialog.permission);
      return;
    }
    const { expiresAt } = dialog.question;
    const isOver = expiresAt !== undefined && Date.parse(expiresAt) <= this.arming.clock.wallNow();
    if (isOver) this.#store.note("warning", "The question expired; the agent goes on without an answer.", "turn");
    else this.#store.note("info", "The question was answered elsewhere.", "turn");
  }

  #keepWithdrawn(permission: Permission): void {
    this.#withdrawn.set(permission.permissionId, permission);
    // After a lost connection the fact never arrives.
    for (const id of this.#withdrawn.keys()) {
      if (this.#withdrawn.size <= MAX_WITHDRAWN) break;
      this.#withdrawn.delete(id);
    }
  }

  /** The terminal has taken a frame that shows this dialog in full, or none. */
  drawn(dialog: Dialog | undefined): void {
    if (this.#front === undefined) return;
    if (dialog?.id === this.#front)
      this.#sight.frameTaken(dialog, this.#endInView(dialog, this.#store.get()), () => this.#arm());
    else this.hide();
  }

  /** The terminal no longer shows the dialog: no key answers until it shows it again. */
  hide(): void {
    this.#stopArming?.();
    this.#stopArming = undefined;
    this.#sight.hide();
    this.#disarm(this.#front);
  }

  /** True if the user sees the dialog's current state: the mark, and the effect of Enter. */
  isShown(dialog: Dialog): boolean {
    return this.#sight.shows(dialog);
  }

  /** True if the end was on the screen long enough to be read; otherwise nothing can be allowed. */
  wasRead(end: string): boolean {
    return this.#sight.wasRead(end);
  }

  #arm(): void {
    this.#stopArming = this.arming.whenReady(() => {
      const dialog = this.#store.get().dialogs.find(({ id }) => id === this.#front);
      if (dialog) this.#store.dispatch({ type: "dialogChanged", dialog: { ...dialog, armed: true } });
    });
  }

  #disarm(id: string | undefined): void {
    const dialog = this.#store.get().dialogs.find((each) => each.id === id);
    if (dialog?.armed) this.#store.dispatch({ type: "dialogChanged", dialog: { ...dialog, armed: false } });
  }

  #watch(): void {
    const front = frontDialog(this.#store.get());
    if (front?.id === this.#front) return;
    const before = this.#front;
    this.#front = front?.id;
    this.#stopArming?.();
    this.#stopArming = undefined;
    if (front && front.id !== this.#last) this.#sight.reset();
    else this.#sight.hide();
    this.#last = front?.id ?? this.#last;
    this.#disarm(before);
  }
}
