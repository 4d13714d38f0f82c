import type { LiveSession } from "@harness/core";
import { ROOT_AGENT, type SessionUpdate } from "@harness/protocol";
import type { SessionObserver } from "./session-observer.ts";

/** After a turn: by then a headless run has ended, and a user who continues at once is not disturbed. */
const PAUSE_MS = 2_000;
/** A request is cancelled when the next turn begins and repeated after it, but not forever. */
const MAX_TRIES = 3;

type NameableSession = Pick<LiveSession, "nameByModel" | "sessionId">;

type NameSchedulerDeps = {
  /** Returns a function that cancels the call. Keeps no process alive. */
  later(ms: number, work: () => void): () => void;
  report(error: unknown, where: string): void;
};

/** A session in memory, and the pending or running request for its name. */
type NameState = { session: NameableSession; tries: number; cancel(): void };

/** Has a model name sessions between turns. */
export class NameScheduler implements SessionObserver {
  readonly #deps: NameSchedulerDeps;
  readonly #states = new Map<string, NameState>();

  constructor(deps: NameSchedulerDeps) {
    this.#deps = deps;
  }

  onOpened({ session }: { readonly session: NameableSession }): void {
    this.#states.set(session.sessionId, { session, tries: 0, cancel: () => undefined });
  }

  onClosed(sessionId: string): void {
    this.#states.get(sessionId)?.cancel();
    this.#states.delete(sessionId);
  }

  see({ sessionId, agentId, update }: SessionUpdate): void {
    const state = this.#states.get(sessionId);
    if (!state || agentId !== ROOT_AGENT || update.sessionUpdate !== "state_update") return;
    state.cancel();
    if (update.state === "idle") state.cancel = this.#deps.later(PAUSE_MS, () => void this.#run(state));
  }

  async #run(state: NameState): Promise<void> {
    if (state.tries >= MAX_TRIES) return;
    const controller = new AbortController();
    state.cancel = () => controller.abort();
    try {
      const outcome = await state.session.nameByModel(controller.signal);
      if (outcome === "named") state.tries = 0;
      if (outcome === "failed") state.tries += 1;
    } catch (error) {
      this.#deps.report(error, "the name of a session");
    }
  }
}
