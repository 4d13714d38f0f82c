/** The position of a call among the calls of its reply that go to the gate. */
export type AskSlot = {
  /** Resolves when all calls before it have reached the gate or will not go there. */
  readonly reached: Promise<unknown>;
  /** Lets those behind it go on. Any number of times. */
  leave(): void;
};

/**
 * People are asked about calls in the order in which the model wrote them, whatever each has to look up before. A call enters
 * when nothing that it depends on is unfinished, and leaves at the gate.
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
