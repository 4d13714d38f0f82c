import type { Permission, PermissionOutcome, SessionUpdate } from "@harness/protocol";
import type { QuestionAnswer } from "../client/harness-client.ts";
import { type Card, permissionCard, type Question, questionCard } from "../state/cards.ts";
import { frontCard } from "../state/selectors.ts";
import type { Store } from "../state/store.ts";
import type { Arming } from "./arming.ts";
import { Withdrawals } from "./withdrawals.ts";

export type CardAnswer = PermissionOutcome | QuestionAnswer;

export type CardDeskParts = {
  store: Store;
  arming: Arming;
  /** Wall clock, for questions that are given up at a time. */
  wallNow(): number;
};

/** Keeps the server's questions to the person: shows them one after another and takes the answers back. */
export class CardDesk {
  readonly #parts: CardDeskParts;
  readonly #waiting = new Map<string, (answer: CardAnswer) => void>();
  readonly #withdrawals: Withdrawals;
  #front: string | undefined;
  #stopArming: (() => void) | undefined;

  constructor(parts: CardDeskParts) {
    this.#parts = parts;
    this.#withdrawals = new Withdrawals((severity, text) =>
      parts.store.dispatch({ type: "noted", note: { severity, text, of: "turn" } }),
    );
    parts.store.subscribe(() => this.#watch());
  }

  askPermission(sessionId: string, permission: Permission, signal: AbortSignal): Promise<PermissionOutcome> {
    return this.#ask(permissionCard(sessionId, permission), signal, { outcome: "cancelled" });
  }

  askQuestion(question: Question, signal: AbortSignal): Promise<QuestionAnswer> {
    return this.#ask(questionCard(question), signal, { action: "cancel" });
  }

  answer(id: string, answer: CardAnswer): void {
    this.#waiting.get(id)?.(answer);
  }

  /** A session's facts tell who answered a permission elsewhere, and why one is withdrawn. */
  hear(update: SessionUpdate): void {
    const removed = this.#withdrawals.hear(update, this.#parts.store.get().cards);
    if (removed !== undefined) this.#waiting.get(removed)?.({ outcome: "cancelled" });
  }

  /** The server is gone, and nobody waits for these answers any more: it will ask again. */
  withdrawAll(): void {
    for (const { id } of this.#parts.store.get().cards) this.#parts.store.dispatch({ type: "cardRemoved", id });
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

  #ask<A extends CardAnswer>(card: Card, signal: AbortSignal, withdrawn: A): Promise<A> {
    const { store } = this.#parts;
    return new Promise((resolve) => {
      const settle = (answer: CardAnswer): void => {
        signal.removeEventListener("abort", withdraw);
        this.#waiting.delete(card.id);
        store.dispatch({ type: "cardRemoved", id: card.id });
        // The one who answers knows the card's kind; the map does not.
        resolve(answer as A);
      };
      const withdraw = (): void => {
        this.#tellWithdrawn(card);
        settle(withdrawn);
      };
      if (signal.aborted) return resolve(withdrawn);
      signal.addEventListener("abort", withdraw, { once: true });
      this.#waiting.set(card.id, settle);
      store.dispatch({ type: "cardAdded", card });
    });
  }

  #tellWithdrawn(card: Card): void {
    if (card.kind === "permission") {
      this.#withdrawals.withdrawn(card.sessionId, card.permission);
      return;
    }
    const { expiresAt } = card.question;
    const isOver = expiresAt !== undefined && Date.parse(expiresAt) <= this.#parts.wallNow();
    this.#withdrawals.say(
      isOver ? "warning" : "info",
      isOver
        ? "Nobody answered the question in time: the agent goes on without."
        : "The question was answered elsewhere.",
    );
  }

  #watch(): void {
    const { store, arming } = this.#parts;
    const front = frontCard(store.get());
    if (front?.id === this.#front) return;
    const hidden = store.get().cards.find(({ id }) => id === this.#front);
    this.#front = front?.id;
    this.#stopArming?.();
    this.#stopArming = undefined;
    if (hidden?.armed) store.dispatch({ type: "cardChanged", card: { ...hidden, armed: false } });
    if (!front) return;
    this.#stopArming = arming.whenReady(() => {
      const card = store.get().cards.find(({ id }) => id === this.#front);
      if (card) store.dispatch({ type: "cardChanged", card: { ...card, armed: true } });
    });
  }
}
