import { applyUpdate, emptySession, type SessionState, type SessionUpdate } from "@harness/protocol";
import type { HarnessClient } from "../client.ts";
import { readTail } from "./read-session.ts";

/**
 * Updates of a session that arrive before the answer with its id. `replay`: the facts so far are requested and folded
 * as they come; without them, the state begins at the first fact.
 */
export class Arrivals {
  readonly #replay: "start" | "none";
  readonly #folds = new Map<string, SessionState>();
  readonly #kept: SessionUpdate[] = [];
  /** The fold of the last facts of a long session: until all have arrived, it can be shown. */
  tail: SessionState | undefined;

  constructor(replay: "start" | "none") {
    this.#replay = replay;
  }

  /** `found`: called once it is there. Never rejects. */
  async readTail(server: Pick<HarnessClient, "call">, wanted: string, found: () => void): Promise<void> {
    this.tail = await readTail(server, wanted);
    if (this.tail) found();
  }

  take(update: SessionUpdate): void {
    if (this.#replay === "none") {
      this.#kept.push(update);
      return;
    }
    const fold = this.#folds.get(update.sessionId) ?? emptySession(update.sessionId);
    this.#folds.set(update.sessionId, fold);
    applyUpdate(fold, update);
  }

  /** The session after `seq` facts, and the updates that it does not include yet. */
  opened(sessionId: string, seq: number): { state: SessionState; rest: readonly SessionUpdate[] } {
    const state = this.#folds.get(sessionId) ?? emptySession(sessionId);
    if (this.#replay === "start") return { state, rest: [] };
    const rest = this.#kept.filter((update) => update.sessionId === sessionId);
    const first = rest.find((update) => update.seq !== undefined)?.seq;
    state.seq = first === undefined ? seq : first - 1;
    return { state, rest };
  }
}
