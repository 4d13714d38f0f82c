import type { IncomingMessage } from "node:http";
import type { Clock, ModelRequest } from "@harness/core";
import type { Endpoint } from "../endpoint/endpoint.ts";
import { MAX_REPLY_BYTES, TooLongError } from "../reply/too-long.ts";
import { sendRequest } from "./http-transport.ts";
import { IdleWatch } from "./idle-watch.ts";
import { sentUrl } from "./sent-url.ts";

/** The server answered, but not with what was requested. */
export class HttpError extends Error {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  /** The beginning of the body. */
  readonly body: string;
  /** Characters of the request. */
  readonly sent: number;

  constructor(status: number, headers: Record<string, string>, body: string, sent: number) {
    super(`status ${status}`);
    this.status = status;
    this.headers = headers;
    this.body = body;
    this.sent = sent;
  }
}

export type Phase = "connect" | "answer" | "stream" | "close" | "total";

export class RequestTimeoutError extends Error {
  readonly phase: Phase;
  readonly limitMs: number;

  constructor(phase: Phase, limitMs: number) {
    super(`no ${phase} within ${limitMs} ms`);
    this.phase = phase;
    this.limitMs = limitMs;
  }
}

type Limits = Record<Phase, number>;

/**
 * A nearby server is silent while it evaluates a long prompt or loads a model; that is work, not a stall. Any byte is a
 * sign of life, even a ping; but a server that sends nothing else for hours will never answer.
 */
const FAR: Limits = { connect: 10_000, answer: 60_000, stream: 120_000, close: 5_000, total: 3_600_000 };
const NEAR: Limits = { connect: 10_000, answer: 600_000, stream: 600_000, close: 5_000, total: 6 * 3_600_000 };

/** The user's limit applies to all silence of a server that was reached. */
function limitsOf({ near, vendor, streams, limits }: Endpoint): Limits {
  const timeouts = near || vendor.local ? NEAR : FAR;
  // A reply in one piece begins when it is complete.
  const usual = streams === false ? { ...timeouts, answer: NEAR.answer } : timeouts;
  const { timeoutMs } = limits?.() ?? {};
  if (timeoutMs === undefined) return usual;
  return { ...usual, answer: timeoutMs, stream: timeoutMs, total: Math.max(usual.total, timeoutMs) };
}

/** How long a server may take for the first byte of an answer, even if it has to load a model. */
export function firstByteMs(endpoint: Endpoint): number {
  return limitsOf(endpoint).answer;
}

/** A server that crashes while handling a request takes longer. */
const TURNED_AWAY_MS = 1_000;

const ERROR_BODY_BYTES = 64 * 1024;
const ERROR_BODY_MS = 5_000;

/** Headers that identify the vendor's client instead of harness. */
const CLIENT_HEADERS = /^(x-stainless-|user-agent$|accept-encoding$|connection$|content-length$)/;

/** The signal that ends the request, and the observer of sent bytes. */
type ExchangeWatch = Pick<ModelRequest, "onSent"> & { signal: AbortSignal };

/**
 * One request and its response. The vendor's client sends through `fetch` and sees status and headers; the body is read
 * here, so that its bytes can be watched. `problem` has the real cause of a failure, whichever side reports it.
 */
export class Exchange {
  readonly #endpoint: Endpoint;
  readonly #watch: IdleWatch;
  readonly #clock: Clock;
  readonly #aborter = new AbortController();
  readonly #limits: Limits;
  readonly #unlink: () => void;
  readonly #onSent: ModelRequest["onSent"];
  #response: IncomingMessage | undefined;
  #connectedAtMs: number | undefined;
  #credentials: Readonly<Record<string, string>> = {};
  problem: unknown;

  constructor(endpoint: Endpoint, clock: Clock, { onSent, signal }: ExchangeWatch) {
    this.#onSent = onSent;
    this.#endpoint = endpoint;
    this.#clock = clock;
    this.#limits = limitsOf(endpoint);
    const onIdle = (phase: string, limitMs: number) => this.#abort(new RequestTimeoutError(phase as Phase, limitMs));
    this.#watch = new IdleWatch(clock, { onIdle, totalMs: this.#limits.total });
    const onAbort = () => this.#abort(signal.reason);
    signal.addEventListener("abort", onAbort, { once: true });
    this.#unlink = () => signal.removeEventListener("abort", onAbort);
    if (signal.aborted) onAbort();
  }

  get contentType(): string {
    return (this.#response?.headers["content-type"] ?? "").toLowerCase();
  }

  get wasConnected(): boolean {
    return this.#connectedAtMs !== undefined;
  }

  /** The connection was closed as soon as it was made: by a tunnel, or a proxy for a server that is away. */
  get isTurnedAway(): boolean {
    const { code = "" } = (this.problem ?? {}) as NodeJS.ErrnoException;
    const isBroken = this.#response === undefined && (code === "ECONNRESET" || code === "EPIPE");
    const connectedAtMs = isBroken ? this.#connectedAtMs : undefined;
    return connectedAtMs !== undefined && this.#clock.monotonicMs() - connectedAtMs < TURNED_AWAY_MS;
  }

  /** Credentials of the request, replacing those of the vendor's client. */
  authorize(credentials: Readonly<Record<string, string>>): void {
    this.#credentials = credentials;
  }

  /** The `fetch` for the vendor's client. Its response has no body. */
  readonly fetch = async (input: string | URL | Request, init: RequestInit = {}): Promise<Response> => {
    try {
      return await this.#send(input instanceof Request ? input.url : input, init);
    } catch (error) {
      this.problem ??= error;
      throw error;
    }
  };

  /** The body, piece by piece. */
  async *body(): AsyncGenerator<Uint8Array> {
    const response = this.#response;
    if (!response) return;
    let bytes = 0;
    this.#watch.phase("stream", this.#limits.stream);
    try {
      for await (const piece of response.iterator({ destroyOnReturn: false })) {
        this.#watch.touch();
        bytes += piece.length;
        if (bytes > MAX_REPLY_BYTES) throw new TooLongError("a reply", MAX_REPLY_BYTES);
        yield piece;
      }
    } catch (error) {
      this.problem ??= error;
      throw this.problem;
    }
  }

  /** The reply is complete: the end of the stream is awaited only briefly. */
  expectClose(): void {
    this.#watch.phase("close", this.#limits.close);
  }

  /**
   * Ends the exchange. If everything was read, the connection is kept for the next request and free when this resolves;
   * only a server that has not sent its last bytes yet is not awaited.
   */
  async close({ allRead }: { allRead: boolean }): Promise<void> {
    this.#watch.stop();
    this.#unlink();
    const response = this.#response;
    if (!response) this.#aborter.abort();
    else if (!allRead) response.destroy();
    else if (!response.readableEnded) {
      const drained = this.#drain(response);
      if (response.complete) await drained;
    }
  }

  async #send(address: string | URL, init: RequestInit): Promise<Response> {
    this.#aborter.signal.throwIfAborted();
    const { near, egress, connections } = this.#endpoint;
    const body = typeof init.body === "string" ? init.body : "";
    this.#onSent?.({ address: String(address), body });
    this.#watch.phase("connect", this.#limits.connect);
    const response = await sendRequest({
      purpose: "model",
      egress,
      url: sentUrl(address, this.#endpoint),
      method: init.method ?? "GET",
      headers: this.#headers(init.headers),
      body,
      signal: this.#aborter.signal,
      near,
      kept: connections,
      onConnect: () => {
        this.#connectedAtMs = this.#clock.monotonicMs();
        this.#watch.phase("answer", this.#limits.answer);
      },
    });
    this.#response = response;
    // The reader of the body gets its errors; without this listener they would crash the process.
    response.on("error", () => undefined);
    const status = response.statusCode ?? 0;
    if (status < 200 || status > 299) {
      this.#watch.phase("close", ERROR_BODY_MS);
      throw new HttpError(status, plainHeaders(response), await startOfBody(response), body.length);
    }
    // Only for the client to look at: the body comes from `body()`.
    return new Response("", { status: 200, headers: plainHeaders(response) });
  }

  #headers(init: RequestInit["headers"]): Record<string, string> {
    const headers: Record<string, string> = {};
    new Headers(init).forEach((value, name) => {
      if (!CLIENT_HEADERS.test(name)) headers[name] = value;
    });
    delete headers.authorization;
    return { ...headers, ...this.#credentials, ...this.#endpoint.headers, "user-agent": "harness" };
  }

  #abort(reason: unknown): void {
    this.problem ??= reason;
    this.#watch.stop();
    this.#aborter.abort(reason);
    this.#response?.destroy();
  }

  /** The last bytes are on their way; a server that does not send them loses the connection. */
  async #drain(response: IncomingMessage): Promise<void> {
    const closed = new AbortController();
    // Passes a reason because the platform would otherwise build an error with a stack for each reply.
    const onClosed = () => closed.abort("closed");
    response.once("close", onClosed);
    response.once("end", onClosed);
    response.resume();
    await this.#clock.sleep(1_000, closed.signal);
    if (!response.readableEnded) response.destroy();
  }
}

function plainHeaders(response: IncomingMessage): Record<string, string> {
  const headers: Record<string, string> = {};
  for (const [name, value] of Object.entries(response.headers)) {
    if (name !== "set-cookie" && value !== undefined) headers[name] = String(value);
  }
  return headers;
}

/** The start of an error page. Bytes that arrived before the connection broke are kept. */
async function startOfBody(response: IncomingMessage): Promise<string> {
  const pieces: Buffer[] = [];
  let bytes = 0;
  try {
    for await (const piece of response) {
      pieces.push(piece);
      bytes += piece.length;
      if (bytes >= ERROR_BODY_BYTES) break;
    }
  } catch {
    // The bytes so far are enough.
  }
  return Buffer.concat(pieces).subarray(0, ERROR_BODY_BYTES).toString("utf8");
}
