import type { LiveSession } from "@harness/core";
import { ROOT_AGENT, type SessionUpdate } from "@harness/protocol";
import type { SessionObserver } from "./session-observer.ts";

/** After a turn: a headless run has ended by then, and a person who goes on at once does so undisturbed. */
const PAUSE_MS = 2_000;
/** A request is taken back when the next turn begins, and repeated after it, but not for ever. */
const MAX_TRIES = 3;

type NameableSession = Pick<LiveSession, "nameByModel" | "sessionId">;

type NameSchedulerDeps = {
  /** Returns a function that takes the call back. Keeps no process alive. */
  later(ms: number, work: () => void): () => void;
  report(error: unknown, where: string): void;
};

/** A session in memory, and the request for its name that waits or runs. */
type NameState = { session: NameableSession; tries: number; cancel(): void };

/** Has sessions named by a model between two turns. */
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
