import type { HarnessClient } from "../client.ts";
import { errorText } from "../errors.ts";
import type { SessionServer } from "../session/session-server.ts";
import type { ConnectServer, ServerConnection, ServerListeners } from "./connect-server.ts";
import { type LinkTexts, ownServerTexts } from "./link-texts.ts";

/** `connecting` at the start and while a dead server is restarted; `failed`: there will be no further attempt. */
export type LinkState = { readonly status: "connecting" | "ready" | "failed"; readonly text?: string };

/** Delays before the first, second and third attempt to restart a server. */
const BACKOFF_MS = [500, 1000, 2000];
/** After this long a server counts as healthy, and its end starts a new count of attempts. */
const WELL_MS = 10_000;

export type ServerLinkOptions = {
  connect: ConnectServer;
  /** The waits before the attempts to get a lost server back. */
  backoffMs?: readonly number[] | undefined;
  /** Default: those of a server that this program starts. */
  texts?: LinkTexts | undefined;
  newId(): string;
  listeners: ServerListeners;
  /** Monotonic milliseconds, and a timer; the returned function cancels it. */
  clock: { now(): number; after(ms: number, run: () => void): () => void };
  onStatus(link: LinkState): void;
  /** A server is connected; `again` after the first one. Calls made here precede all waiting calls. */
  onReady(client: ServerConnection, at: { again: boolean }): Promise<void>;
};

/**
 * A connection to a server that is restarted if it dies. Calls wait while there is none; they fail if there will be no
 * further attempt, or if the server dies before it answers.
 */
export class ServerLink implements SessionServer {
  readonly restarts = true;
  readonly #options: ServerLinkOptions;
  readonly #backoffMs: readonly number[];
  readonly #texts: LinkTexts;
  #ready: Promise<ServerConnection>;
  #settle: { resolve(client: ServerConnection): void; reject(error: Error): void };
  #client: ServerConnection | undefined;
  #failures = 0;
  #readyAtMs = 0;
  #wasReady = false;
  #closed = false;

  constructor(options: ServerLinkOptions) {
    this.#options = options;
    this.#backoffMs = options.backoffMs ?? BACKOFF_MS;
    this.#texts = options.texts ?? ownServerTexts;
    const { promise, ...settle } = pendingConnection();
    this.#ready = promise;
    this.#settle = settle;
  }

  newId(): string {
    return this.#options.newId();
  }

  start(): Promise<void> {
    return this.#connect();
  }

  readonly call: HarnessClient["call"] = async (method, params, options) =>
    (await this.#ready).call(method, params, options);

  /** Tries once more after all attempts were used up. */
  retry(): void {
    if (this.#client || this.#closed || this.#failures <= this.#backoffMs.length) return;
    this.#failures = 0;
    this.#renew();
    void this.#connect();
  }

  async close(): Promise<void> {
    this.#closed = true;
    const client = this.#client;
    this.#client = undefined;
    // Callers that repeat a lost call must learn that there will be no other server.
    this.#renew();
    this.#settle.reject(new Error("there is no server."));
    await client?.close();
  }

  async #connect(): Promise<void> {
    this.#options.onStatus(
      this.#wasReady || this.#failures > 0
        ? { status: "connecting", text: this.#texts.connecting }
        : { status: "connecting" },
    );
    try {
      // Events of an earlier server do not concern the current one.
      let lost = false;
      const client = await this.#options.connect({
        ...this.#options.listeners,
        onLost: (reason) => {
          if (lost) return;
          lost = true;
          this.#lost(reason);
        },
      });
      if (lost) return;
      if (this.#closed) return void client.close();
      this.#client = client;
      await this.#options.onReady(client, { again: this.#wasReady });
      if (this.#client !== client) return;
      this.#wasReady = true;
      this.#readyAtMs = this.#options.clock.now();
      this.#options.onStatus({ status: "ready" });
      this.#settle.resolve(client);
    } catch (error) {
      this.#lost(errorText(error));
    }
  }

  #lost(reason: string): void {
    if (this.#closed) return;
    if (this.#client) {
      this.#renew();
      if (this.#options.clock.now() - this.#readyAtMs >= WELL_MS) this.#failures = 0;
    }
    this.#client = undefined;
    const wait = this.#backoffMs[this.#failures];
    this.#failures += 1;
    if (wait === undefined) {
      this.#options.onStatus({ status: "failed", text: this.#texts.failed(reason) });
      // The status says why, so callers need not repeat it.
      this.#settle.reject(new Error("there is no server."));
      return;
    }
    const text = this.#texts.waiting(reason, { at: this.#failures, of: this.#backoffMs.length });
    this.#options.onStatus({ status: "connecting", text });
    this.#options.clock.after(wait, () => {
      if (!this.#closed) void this.#connect();
    });
  }

  /** Calls made from now on wait for the next server. */
  #renew(): void {
    const { promise, ...settle } = pendingConnection();
    this.#ready = promise;
    this.#settle = settle;
  }
}

function pendingConnection(): {
  promise: Promise<ServerConnection>;
  resolve(client: ServerConnection): void;
  reject(error: Error): void;
} {
  const { promise, resolve, reject } = Promise.withResolvers<ServerConnection>();
  // Possibly no caller is waiting when the last attempt fails.
  promise.catch(() => undefined);
  return { promise, resolve, reject };
}
