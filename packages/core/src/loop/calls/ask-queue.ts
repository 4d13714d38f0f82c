/** The position of a call among the calls of its reply that go to the gate. */
export type AskSlot = {
  /** Resolves when all calls before it have reached the gate or will not go there. */
  readonly reached: Promise<unknown>;
  /** Lets later calls proceed. May be called repeatedly. */
  leave(): void;
};

/**
 * The user is asked about calls in the order in which the model wrote them, however long each look-up takes. A call
 * enters when nothing it depends on is unfinished, and leaves at the gate.
 */
export class AskQueue {
  #last: Promise<unknown> = Promise.resolve();

  enter(): AskSlot {
    const reached = this.#last;
    const left = Promise.withResolvers<void>();
    this.#last = Promise.all([reached, left.promise]);
    return { reached, leave: left.resolve };
  }
}
