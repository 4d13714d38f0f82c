import { factsOf, type LiveSession, type SessionLog } from "@harness/core";
import type { SessionUpdate } from "@harness/protocol";
import type { Client } from "../clients/client.ts";
import { isChunk, sendUpdate } from "./send-update.ts";

/** Characters that wait in memory while a client catches up; a long session would fill the whole queue. */
const MAX_REPLAY_QUEUE = 256 * 1024;

/** The sources to bring a lagging client up to date. */
export type FollowedSession = {
  readonly session: Pick<LiveSession, "sessionId" | "state" | "snapshot">;
  readonly log: Pick<SessionLog, "read">;
};

/**
 * Sends a session's updates to one client. Facts that the client does not take at the moment wait in the log, not in
 * memory, and are read from there once it has taken the earlier ones.
 */
export class Follower {
  readonly #client: Client;
  readonly #followed: FollowedSession;
  /** The last fact that was sent. */
  #seq: number;
  #isBehind = true;
  #isOver = false;
  /** Resolves when the client has caught up. */
  current: Promise<void> = Promise.resolve();

  constructor(client: Client, followed: FollowedSession, afterSeq: number) {
    this.#client = client;
    this.#followed = followed;
    this.#seq = afterSeq;
  }

  /** Sends an update as it comes. `announced` returns the last fact that may be read from the log. */
  take(update: SessionUpdate, announced: () => number): void {
    const { seq } = update;
    if (this.#isBehind) {
      // It is neither in the log nor in the snapshot that follows.
      if (seq === undefined && !isChunk(update)) sendUpdate(this.#client, update);
      return;
    }
    if (seq !== undefined && seq <= this.#seq) return;
    sendUpdate(this.#client, update);
    if (seq !== undefined) this.#seq = seq;
    if (this.#client.peer.ready() !== undefined) void this.catchUp(announced);
  }

  /** Resolves when the client has everything, or no longer follows. Does not wait if the client keeps up. */
  catchUp(announced: () => number): Promise<void> {
    this.#isBehind = true;
    this.current = this.#catchUp(announced);
    return this.current;
  }

  end(): void {
    this.#isOver = true;
  }

  async #catchUp(announced: () => number): Promise<void> {
    const { session, log } = this.#followed;
    const { sessionId } = session;
    const { peer } = this.#client;
    let wait = peer.ready(MAX_REPLAY_QUEUE);
    if (wait !== undefined) await wait;
    while (this.#seq < announced() && !this.#isOver) {
      const last = announced();
      for (const fact of factsOf(log, { after: this.#seq, before: last + 1 })) {
        wait = peer.ready(MAX_REPLAY_QUEUE);
        if (wait !== undefined) await wait;
        if (this.#isOver) return;
        sendUpdate(this.#client, { sessionId, ...fact });
        this.#seq = fact.seq;
      }
      // Facts that the log has lost in the meantime cannot be sent.
      this.#seq = last;
    }
    if (this.#isOver) return;
    this.#isBehind = false;
    for (const { agentId, delta } of session.snapshot())
      sendUpdate(this.#client, { sessionId, agentId, update: delta });
  }
}
