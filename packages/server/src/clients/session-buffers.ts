import type { BufferFailure, BufferOffer, ClientBuffers, MissingBuffer } from "@harness/core";
import type { Clock } from "@harness/gate";
import { MAX_BUFFER_CHARS, ProtocolError } from "@harness/protocol";
import type { Client } from "./client.ts";

const READ_MS = 5_000;
const WRITE_MS = 10_000;
/** How long a client that was silent is not asked again: each question would cost a call its whole time. */
const REST_MS = 60_000;

const LATE = Symbol("late");

/** The open files of a session's clients: of the one that has followed it longest among those that offer them. */
export class SessionBuffers implements ClientBuffers {
  readonly #sessionId: string;
  readonly #clients: Iterable<Client>;
  readonly #clock: Clock;
  /** When clients that did not answer are asked again. */
  readonly #resting = new WeakMap<Client, number>();

  constructor(sessionId: string, clients: Iterable<Client>, clock: Clock) {
    this.#sessionId = sessionId;
    this.#clients = clients;
    this.#clock = clock;
  }

  get offer(): BufferOffer {
    const client = this.#client();
    const { read = false, write = false } = client?.profile?.buffers ?? {};
    return { read, write: write && !(client && this.#rests(client)) };
  }

  async read(path: string, signal: AbortSignal): Promise<{ text: string } | MissingBuffer> {
    const client = this.#client();
    if (!client?.profile?.buffers.read || signal.aborted) return { missing: "unknown" };
    if (this.#rests(client)) return { missing: "silent" };
    try {
      const params = { sessionId: this.#sessionId, path };
      const ask = (until: AbortSignal) => client.peer.call("buffer/read", params, { signal: until });
      const answer = await this.#inTime(ask, READ_MS, signal);
      if (answer === LATE) return this.#silent(client, signal);
      return "text" in answer && answer.text.length > MAX_BUFFER_CHARS ? { missing: "too_large" } : answer;
    } catch (error) {
      return { missing: isGone(error) || signal.aborted ? "unknown" : "failed" };
    }
  }

  async write(path: string, text: string, signal: AbortSignal): Promise<BufferFailure | undefined> {
    const client = this.#client();
    if (!client?.profile?.buffers.write) return { problem: "The editor is no longer connected", isUnknown: false };
    try {
      const params = { sessionId: this.#sessionId, path, text };
      const ask = (until: AbortSignal) => client.peer.call("buffer/write", params, { signal: until });
      const answer = await this.#inTime(ask, WRITE_MS, signal);
      if (answer !== LATE)
        return answer.problem === undefined ? undefined : { problem: notWritten(answer.problem), isUnknown: false };
      if (signal.aborted) return { problem: "It was stopped while the editor wrote", isUnknown: true };
      this.#silent(client, signal);
      return { problem: `The editor did not answer within ${WRITE_MS / 1000} seconds`, isUnknown: true };
    } catch (error) {
      if (isGone(error)) return { problem: "The editor was closed while it wrote", isUnknown: true };
      return { problem: notWritten(error instanceof Error ? error.message : String(error)), isUnknown: false };
    }
  }

  /** `LATE` if it takes longer, or is stopped; the client then learns that nobody waits for its answer. */
  async #inTime<T>(
    ask: (signal: AbortSignal) => Promise<T>,
    ms: number,
    signal: AbortSignal,
  ): Promise<T | typeof LATE> {
    const over = new AbortController();
    const waiting = AbortSignal.any([signal, over.signal]);
    const late = this.#clock.sleep(ms, waiting).then((): typeof LATE => LATE);
    const answer = ask(waiting);
    // It may still fail when nobody waits any more.
    answer.catch(() => undefined);
    try {
      return await Promise.race([answer, late]);
    } finally {
      over.abort();
    }
  }

  #silent(client: Client, signal: AbortSignal): MissingBuffer {
    if (signal.aborted) return { missing: "unknown" };
    this.#resting.set(client, this.#clock.monotonicMs() + REST_MS);
    return { missing: "silent" };
  }

  #rests(client: Client): boolean {
    return (this.#resting.get(client) ?? 0) > this.#clock.monotonicMs();
  }

  #client(): Client | undefined {
    for (const client of this.#clients) {
      const { role, buffers } = client.profile ?? {};
      if (role === "controller" && (buffers?.read || buffers?.write)) return client;
    }
    return undefined;
  }
}

function notWritten(reason: string): string {
  return `The editor did not write it (${reason})`;
}

function isGone(error: unknown): boolean {
  return error instanceof ProtocolError && error.kind === "closed";
}
