import type { SessionUpdate } from "@harness/protocol";
import type { Client } from "../clients/client.ts";
import { type FollowedSession, Follower } from "./follower.ts";

/** The clients that follow one session. */
export class Subscribers {
  readonly #followers = new Map<Client, Follower>();
  readonly clients: Iterable<Client> = { [Symbol.iterator]: () => this.#followers.keys() };
  #held: SessionUpdate[] | undefined;
  /** The last fact that was passed to the followers. */
  #announced = 0;
  /** The first client gets the facts after this one even if it asks for none. */
  #untoldAfter: number | undefined;

  constructor({ untoldAfter }: { untoldAfter?: number | undefined } = {}) {
    this.#untoldAfter = untoldAfter;
  }

  /**
   * Sends the facts after `afterSeq` (none if undefined), the text being streamed, and then every update. Resolves when
   * the client has taken everything so far, or has disconnected.
   */
  follow(client: Client, followed: FollowedSession, afterSeq: number | undefined): Promise<void> {
    if (client.closed.aborted) return Promise.resolve();
    this.leave(client);
    if (!this.#held) this.#announced = followed.session.state.seq;
    const follower = new Follower(client, followed, afterSeq ?? this.#untoldAfter ?? this.#announced);
    this.#untoldAfter = undefined;
    this.#followers.set(client, follower);
    client.closed.addEventListener("abort", () => this.leave(client), { once: true });
    return follower.catchUp(this.#lastSeq);
  }

  /** Resolves when the client has taken every update so far, or no longer follows. */
  async caughtUp(client: Client): Promise<void> {
    await this.#followers.get(client)?.current;
  }

  has(client: Client): boolean {
    return this.#followers.has(client);
  }

  get count(): number {
    return this.#followers.size;
  }

  leave(client: Client): void {
    this.#followers.get(client)?.end();
    this.#followers.delete(client);
  }

  /**
   * Holds updates back until the returned function is called, so that an answer is sent before the updates it caused.
   */
  hold(): () => void {
    this.#held ??= [];
    return () => {
      const held = this.#held ?? [];
      this.#held = undefined;
      for (const update of held) this.send(update);
    };
  }

  send(update: SessionUpdate): void {
    if (this.#held) {
      this.#held.push(update);
      return;
    }
    if (update.seq !== undefined) this.#announced = update.seq;
    for (const follower of this.#followers.values()) follower.take(update, this.#lastSeq);
  }

  readonly #lastSeq = (): number => this.#announced;
}
