import type { CleanUp, SessionStore } from "@harness/core";
import { orThrow } from "../store-errors.ts";

/** The rest is removed the next time. */
const EMPTY_MS = 1_000;

type DeletedSessionsDeps = {
  store: Pick<SessionStore, "bin" | "remove">;
  /**
   * Finds a session's worktrees, and returns a function that removes them once the session is deleted. Never rejects.
   * `binned`: its folder in the bin.
   */
  worktreesOf(sessionId: string, binned?: string): () => Promise<void>;
};

/**
 * Moves sessions to the bin and back, or removes them for good. All but `restore` need the whole id: a prefix deletes
 * nothing.
 */
export class DeletedSessions {
  readonly #deps: DeletedSessionsDeps;
  readonly #cleanUp: CleanUp = ({ sessionId, folder }) => this.#deps.worktreesOf(sessionId, folder);

  constructor(deps: DeletedSessionsDeps) {
    this.#deps = deps;
  }

  /** The session keeps its worktrees. */
  async put(sessionId: string): Promise<void> {
    orThrow(await this.#deps.store.bin.put(sessionId));
    // A program that ends after this command is never idle.
    await this.emptyBin(AbortSignal.timeout(EMPTY_MS)).catch(() => undefined);
  }

  async restore(wanted: string): Promise<{ sessionId: string; folder: string }> {
    return orThrow(await this.#deps.store.bin.restore(wanted));
  }

  /** Removes a session for good, also from the bin. */
  async remove(sessionId: string): Promise<void> {
    const { store, worktreesOf } = this.#deps;
    const removeWorktrees = worktreesOf(sessionId);
    const removed = store.remove(sessionId);
    const isMissing = "problem" in removed && removed.kind === "not_found";
    orThrow(isMissing ? await store.bin.discard(sessionId, this.#cleanUp) : removed);
    // Not earlier: another process may be working on the session.
    if (!isMissing) await removeWorktrees();
  }

  /** Removes sessions that have been in the bin long enough. */
  emptyBin(signal: AbortSignal): Promise<void> {
    return this.#deps.store.bin.empty(signal, this.#cleanUp);
  }
}
