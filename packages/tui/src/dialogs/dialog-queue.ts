import type { ClientMethods, Permission, PermissionOutcome, Result, SessionUpdate } from "@harness/protocol";
import type { Clock } from "../state/clock.ts";
import { type Dialog, permissionDialog, type Question, questionDialog } from "../state/dialogs.ts";
import { frontDialog } from "../state/selectors.ts";
import type { Store } from "../state/store.ts";
import type { Arming } from "./arming.ts";
import { Withdrawals } from "./withdrawals.ts";

type QuestionAnswer = Result<ClientMethods, "elicitation/create">;
export type DialogAnswer = PermissionOutcome | QuestionAnswer;

export type DialogQueueParts = {
  store: Store;
  arming: Arming;
  /** For questions that expire. */
  clock: Pick<Clock, "wallNow">;
};

/** Keeps the server's questions to the person: shows them one after another and takes the answers back. */
export class DialogQueue {
  readonly #parts: DialogQueueParts;
  readonly #waiting = new Map<string, (answer: DialogAnswer) => void>();
  readonly #withdrawals: Withdrawals;
  #front: string | undefined;
  #stopArming: (() => void) | undefined;

  constructor(parts: DialogQueueParts) {
    this.#parts = parts;
    this.#withdrawals = new Withdrawals((severity, text) =>
      parts.store.dispatch({ type: "noted", note: { severity, text, of: "turn" } }),
    );
    parts.store.subscribe(() => this.#watch());
  }

  askPermission(sessionId: string, permission: Permission, signal: AbortSignal): Promise<PermissionOutcome> {
    return this.#ask(permissionDialog(sessionId, permission), signal, { outcome: "cancelled" });
  }

  askQuestion(question: Question, signal: AbortSignal): Promise<QuestionAnswer> {
    return this.#ask(questionDialog(question), signal, { action: "cancel" });
  }

  answer(id: string, answer: DialogAnswer): void {
    this.#waiting.get(id)?.(answer);
  }

  /** A session's facts tell who answered a permission elsewhere, and why one is withdrawn. */
  hear(update: SessionUpdate): void {
    const removed = this.#withdrawals.hear(update, this.#parts.store.get().dialogs);
    if (removed !== undefined) this.#waiting.get(removed)?.({ outcome: "cancelled" });
  }

  /** The server is gone, and nobody waits for these answers any more: it will ask again. */
  withdrawAll(): void {
    for (const { id } of this.#parts.store.get().dialogs) this.#parts.store.dispatch({ type: "dialogRemoved", id });
    this.#waiting.clear();
    this.#withdrawals.forget();
  }

  /** What came into view then has been there long enough to be read. */
  wasInView(sinceMs: number): boolean {
    return this.#parts.arming.wasInView(sinceMs);
  }

  /** On the window's clock. */
  now(): number {
    return this.#parts.arming.now();
  }

  #ask<A extends DialogAnswer>(dialog: Dialog, signal: AbortSignal, withdrawn: A): Promise<A> {
    const { store } = this.#parts;
    return new Promise((resolve) => {
      const settle = (answer: DialogAnswer): void => {
        signal.removeEventListener("abort", withdraw);
        this.#waiting.delete(dialog.id);
        store.dispatch({ type: "dialogRemoved", id: dialog.id });
        // The one who answers knows the dialog's kind; the map does not.
        resolve(answer as A);
      };
      const withdraw = (): void => {
        this.#tellWithdrawn(dialog);
        settle(withdrawn);
      };
      if (signal.aborted) return resolve(withdrawn);
      signal.addEventListener("abort", withdraw, { once: true });
      this.#waiting.set(dialog.id, settle);
      store.dispatch({ type: "dialogAdded", dialog });
    });
  }

  #tellWithdrawn(dialog: Dialog): void {
    if (dialog.kind === "permission") {
      this.#withdrawals.withdrawn(dialog.sessionId, dialog.permission);
      return;
    }
    const { expiresAt } = dialog.question;
    const isOver = expiresAt !== undefined && Date.parse(expiresAt) <= this.#parts.clock.wallNow();
    this.#withdrawals.say(
      isOver ? "warning" : "info",
      isOver
        ? "Nobody answered the question in time: the agent goes on without."
        : "The question was answered elsewhere.",
    );
  }

  #watch(): void {
    const { store, arming } = this.#parts;
    const front = frontDialog(store.get());
    if (front?.id === this.#front) return;
    const hidden = store.get().dialogs.find(({ id }) => id === this.#front);
    this.#front = front?.id;
    this.#stopArming?.();
    this.#stopArming = undefined;
    if (hidden?.armed) store.dispatch({ type: "dialogChanged", dialog: { ...hidden, armed: false } });
    if (!front) return;
    this.#stopArming = arming.whenReady(() => {
      const dialog = store.get().dialogs.find(({ id }) => id === this.#front);
      if (dialog) store.dispatch({ type: "dialogChanged", dialog: { ...dialog, armed: true } });
    });
  }
}
