import { ROOT_AGENT, type SessionUpdate, type UpdateView } from "@harness/protocol";

type RunningTurn = { readonly begun: Promise<unknown>; readonly ended: Promise<void> };

/** Waits for the end of the main agent's turn. */
export class TurnWait implements UpdateView {
  #running: (RunningTurn & { end(): void; fail(error: Error): void }) | undefined;

  get running(): RunningTurn | undefined {
    return this.#running;
  }

  /** `begin`: starts a turn and resolves to true, or to false if none began. */
  async run(begin: () => Promise<boolean>): Promise<void> {
    const { promise: ended, resolve: end, reject: fail } = Promise.withResolvers<void>();
    // It may fail before anybody waits for it.
    ended.catch(() => undefined);
    const begun = begin();
    this.#running = { begun, ended, end, fail };
    try {
      if (await begun) await ended;
    } finally {
      this.#running = undefined;
    }
  }

  see(update: SessionUpdate): void {
    if (endsTurn(update)) this.#running?.end();
  }

  fail(error: Error): void {
    this.#running?.fail(error);
  }
}

/** True if the main agent is idle after this update. */
export function endsTurn({ agentId, update }: SessionUpdate): boolean {
  return agentId === ROOT_AGENT && update.sessionUpdate === "state_update" && update.state === "idle";
}
