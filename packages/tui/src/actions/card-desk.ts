import type { Permission, PermissionOutcome } from "@harness/protocol";
import { type Card, permissionCard, type Question, questionCard } from "../state/cards.ts";
import { frontCard } from "../state/selectors.ts";
import type { Store } from "../state/store.ts";
import type { Clock, QuestionAnswer } from "./harness-client.ts";

/** A card answers to no key until it has been in view for so long … */
const VISIBLE_MS = 200;
/** … and until nobody has typed for so long: a word begun before the card came must not answer it. */
const QUIET_MS = 400;

export type CardAnswer = PermissionOutcome | QuestionAnswer;

/** Keeps the server's questions to the person: shows them one after another and takes the answers back. */
export class CardDesk {
  readonly #store: Store;
  readonly #clock: Clock;
  readonly #waiting = new Map<string, (answer: CardAnswer) => void>();
  #front: string | undefined;
  #stopArming: (() => void) | undefined;
  #typedAtMs = Number.NEGATIVE_INFINITY;

  constructor(store: Store, clock: Clock) {
    this.#store = store;
    this.#clock = clock;
    store.subscribe(() => this.#watch());
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

  /** The server is gone, and nobody waits for these answers any more: it will ask again. */
  withdrawAll(): void {
    for (const { id } of this.#store.get().cards) this.#store.dispatch({ type: "cardRemoved", id });
    this.#waiting.clear();
  }

  /** A key went into the composer. */
  typed(): void {
    this.#typedAtMs = this.#clock.now();
  }

  #ask<A extends CardAnswer>(card: Card, signal: AbortSignal, withdrawn: A): Promise<A> {
    return new Promise((resolve) => {
      const settle = (answer: CardAnswer): void => {
        signal.removeEventListener("abort", withdraw);
        this.#waiting.delete(card.id);
        this.#store.dispatch({ type: "cardRemoved", id: card.id });
        // The one who answers knows the card's kind; the map does not.
        resolve(answer as A);
      };
      const withdraw = (): void => settle(withdrawn);
      if (signal.aborted) return resolve(withdrawn);
      signal.addEventListener("abort", withdraw, { once: true });
      this.#waiting.set(card.id, settle);
      this.#store.dispatch({ type: "cardAdded", card });
    });
  }

  #watch(): void {
    const front = frontCard(this.#store.get());
    if (front?.id === this.#front) return;
    const hidden = this.#store.get().cards.find(({ id }) => id === this.#front);
    this.#front = front?.id;
    this.#stopArming?.();
    if (hidden?.armed) this.#store.dispatch({ type: "cardChanged", card: { ...hidden, armed: false } });
    if (front) this.#armIn(VISIBLE_MS);
  }

  #armIn(ms: number): void {
    this.#stopArming = this.#clock.after(ms, () => {
      const quiet = this.#clock.now() - this.#typedAtMs;
      if (quiet < QUIET_MS) return this.#armIn(QUIET_MS - quiet);
      const card = this.#store.get().cards.find(({ id }) => id === this.#front);
      if (card) this.#store.dispatch({ type: "cardChanged", card: { ...card, armed: true } });
    });
  }
}
