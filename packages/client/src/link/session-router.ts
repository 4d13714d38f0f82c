import { type CallParams, ProtocolError, type RequestName, type Result, type ServerMethods } from "@harness/protocol";
import type { HarnessClient } from "../client.ts";
import type { SessionServer } from "../session/session-server.ts";

/** A connection to the server that holds a session. */
export type HolderConnection = Pick<HarnessClient, "call" | "destroy">;

/** The session, and the socket of the server that holds it; absent: it does not listen yet. */
type Holder = { sessionId: string; socketPath?: string };

type SessionRouterOptions = {
  /** The server of this front. */
  own: SessionServer & Required<Pick<SessionServer, "newId">>;
  /** Absent: the server is on another machine, whose sockets cannot be reached from here. */
  connect?(socketPath: string, onLost: () => void): Promise<HolderConnection>;
  delay(ms: number): Promise<void>;
  /** A session is followed at another server, which works on it. */
  onAttached(sessionId: string): void;
  /** That server has gone: `server` opens the session again, here or where it is held by now. */
  onLost(sessionId: string, server: Pick<HarnessClient, "call">): Promise<void>;
};

type Call = HarnessClient["call"];

/** For the person, when a session is followed at another server, and when that has gone. */
export const OPEN_ELSEWHERE = "This session is open elsewhere, too: both see and answer everything.";
export const GOES_ON_HERE = "Where this session was open has ended. It goes on here.";

/** How often a session is tried whose server cannot be reached, and how long between. */
const TRIES = 6;
const PAUSE_MS = 200;
/** Methods after which this front no longer follows the session. */
const LEAVING: readonly string[] = ["session/detach", "session/close", "session/delete"];

/**
 * Sends each call to the server that holds its session: that of this front, or one to which it attaches when it
 * opens a session that is held there.
 */
export class SessionRouter implements SessionServer {
  readonly restarts = true;
  readonly #options: SessionRouterOptions;
  readonly #holders = new Map<string, HolderConnection>();
  /** Sessions whose server has gone, until they are opened again. */
  readonly #returning = new Map<string, Promise<void>>();

  constructor(options: SessionRouterOptions) {
    this.#options = options;
  }

  newId(): string {
    return this.#options.own.newId();
  }

  /** True if another server works on the session. */
  isElsewhere(sessionId: string): boolean {
    return this.#holders.has(sessionId);
  }

  readonly call: Call = async (method, params, options) => {
    const { sessionId } = Object(params);
    await this.#returning.get(sessionId);
    return await this.over(this.#options.own).call(method, params, options);
  };

  /** The same with another connection in place of that of this front: calls do not wait for a server. */
  over(own: Pick<HarnessClient, "call">): Pick<HarnessClient, "call"> {
    const call: Call = async (method, params, options) => {
      const { sessionId } = Object(params);
      const holder = this.#holders.get(sessionId);
      // Whoever opens it again meanwhile gets a connection of their own.
      if (holder && method === "session/detach") this.#holders.delete(sessionId);
      const answer = await (holder ? holder.call(method, params, options) : this.#opened(own, method, params, options));
      if (holder && LEAVING.includes(method)) this.#leave(sessionId, holder);
      return answer;
    };
    return { call };
  }

  /** Leaves the other servers, which go on. */
  close(): void {
    for (const [sessionId, holder] of [...this.#holders]) this.#leave(sessionId, holder);
  }

  /** A session that another server holds is opened there. */
  async #opened<M extends RequestName<ServerMethods>>(
    own: Pick<HarnessClient, "call">,
    method: M,
    params: CallParams<ServerMethods, M>,
    options: Parameters<Call>[2],
  ): Promise<Result<ServerMethods, M>> {
    const { connect, delay } = this.#options;
    const until = performance.now() + TRIES * PAUSE_MS;
    for (let tries = 1; ; tries += 1) {
      try {
        return await own.call(method, params, options);
      } catch (error) {
        const held = method === "session/resume" && connect ? holderIn(error) : undefined;
        const client = held && (await this.#attach(held));
        if (client) return await client.call(method, { ...params, sessionId: held.sessionId }, options);
        // Its server may be about to listen, or to be gone.
        if (!held || tries === TRIES || performance.now() > until) throw error;
        await delay(PAUSE_MS);
      }
    }
  }

  /** Undefined: it cannot be reached. */
  async #attach({ sessionId, socketPath }: Holder): Promise<HolderConnection | undefined> {
    if (socketPath === undefined) return undefined;
    const holder = await this.#options.connect?.(socketPath, () => this.#lost(sessionId)).catch(() => undefined);
    if (!holder) return undefined;
    this.#holders.set(sessionId, holder);
    this.#options.onAttached(sessionId);
    return holder;
  }

  #lost(sessionId: string): void {
    if (!this.#holders.delete(sessionId)) return;
    const back = this.#options.onLost(sessionId, this.over(this.#options.own)).finally(() => {
      this.#returning.delete(sessionId);
    });
    this.#returning.set(sessionId, back);
  }

  #leave(sessionId: string, holder: HolderConnection): void {
    if (this.#holders.get(sessionId) === holder) this.#holders.delete(sessionId);
    holder.destroy();
  }
}

function holderIn(error: unknown): Holder | undefined {
  if (!(error instanceof ProtocolError) || error.kind !== "conflict") return undefined;
  const { sessionId, socketPath } = error.data as Partial<Holder>;
  return sessionId === undefined ? undefined : { sessionId, ...(socketPath === undefined ? {} : { socketPath }) };
}
