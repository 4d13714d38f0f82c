import type { IncomingMessage } from "node:http";
import type { Clock, Egress } from "@harness/core";
import {
  AddressRefusedError,
  errorCode,
  isOwnNetwork,
  KeptConnections,
  ProxyError,
  retryAfterMs,
  sendHttp,
} from "@harness/host";
import { StoreError } from "../store-error.ts";
import { serverFailure } from "./server-failure.ts";

export type QdrantOptions = {
  /** Without a slash at the end. */
  base: string;
  apiKey?: string | undefined;
  clock: Clock;
  /** Checks the address; absent: all are allowed. */
  egress?: Egress | undefined;
};

type Method = "GET" | "PUT" | "POST" | "DELETE";
/** `result`: as the server's documents describe it. */
type Answer = { status: number; result: unknown; error: string | undefined; retryMs: number | undefined };

const REQUEST_MS = 60_000;
const MAX_ANSWER_BYTES = 256 * 1024 * 1024;
/** Every request can be sent again: points have ids by content, and a change says how things are after it. */
const RETRIES = 4;
const RETRY_MS = 500;
const MAX_RETRY_MS = 30_000;
const LOST = /^(ECONNRESET|EPIPE|HPE_INVALID_EOF_STATE|ECONNABORTED)$/;

/** A server that refused a request. */
export class QdrantRefusalError extends StoreError {
  readonly status: number;

  constructor(message: string, status: number) {
    super(message);
    this.status = status;
  }
}

/** Requests to the REST API of Qdrant. Rejects with a `StoreError`. */
export class QdrantConnection {
  readonly #options: QdrantOptions;
  readonly #kept = new KeptConnections();

  constructor(options: QdrantOptions) {
    this.#options = options;
  }

  get shown(): string {
    return new URL(this.#options.base).host;
  }

  /** Returns the `result` of the answer. `path`: with a slash before it. */
  async ask(method: Method, path: string, body?: object): Promise<unknown> {
    const text = body === undefined ? undefined : wellFormedJson(body);
    for (let attempt = 1; ; attempt += 1) {
      const answer = await this.#send(method, path, text).catch((error: unknown) => {
        if (attempt > RETRIES || !LOST.test(errorCode(error) ?? "")) throw this.#explained(error);
        return undefined;
      });
      if (answer && answer.status < 300) return answer.result;
      const isTemporary = !answer || answer.status === 429 || answer.status >= 500;
      if (answer && (!isTemporary || attempt > RETRIES)) {
        const { status, error } = answer;
        throw new QdrantRefusalError(`Qdrant at ${this.shown} ${serverFailure(status, error)}`, status);
      }
      const ms = answer?.retryMs ?? RETRY_MS * 2 ** (attempt - 1);
      await this.#options.clock.sleep(Math.min(ms, MAX_RETRY_MS));
    }
  }

  /** The same, or undefined if there is no such thing. */
  async find(method: Method, path: string, body?: object): Promise<unknown> {
    try {
      return await this.ask(method, path, body);
    } catch (error) {
      if (error instanceof QdrantRefusalError && error.status === 404) return undefined;
      throw error;
    }
  }

  close(): void {
    this.#kept.close();
  }

  async #send(method: Method, path: string, body: string | undefined): Promise<Answer> {
    const { base, apiKey, egress, clock } = this.#options;
    const url = new URL(`${base}${path}`);
    const decision = egress?.leave({ purpose: "index", method, url: base }) ?? {};
    if ("refused" in decision) throw new StoreError(decision.refused);
    const response = await sendHttp({
      url,
      method,
      headers: {
        accept: "application/json",
        ...(body !== undefined && {
          "content-type": "application/json",
          "content-length": String(Buffer.byteLength(body)),
        }),
        ...(apiKey !== undefined && { "api-key": apiKey }),
      },
      ...(body !== undefined && { body }),
      signal: AbortSignal.timeout(REQUEST_MS),
      connection: decision.judge || isNear(url.hostname) ? "near" : "far",
      judge: decision.judge,
      kept: this.#kept,
    });
    const text = await textOf(response);
    const retryMs = retryAfterMs({ "retry-after": response.headers["retry-after"] ?? "" }, clock.now());
    return { status: response.statusCode ?? 0, retryMs, ...this.#readAnswer(text, response.statusCode ?? 0) };
  }

  #readAnswer(text: string, status: number): Pick<Answer, "result" | "error"> {
    const answer = parsed(text);
    if (status >= 300) return { result: undefined, error: errorOf(answer) ?? text };
    if (answer === undefined || !("result" in answer)) {
      const advice = "Check the address: it should be the REST API, usually on port 6333.";
      throw new StoreError(`The server at ${this.shown} does not answer as Qdrant does. ${advice}`);
    }
    return { result: answer.result, error: undefined };
  }

  #explained(error: unknown): StoreError {
    if (error instanceof StoreError) return error;
    if (error instanceof AddressRefusedError || error instanceof ProxyError) return new StoreError(error.message);
    const code = error instanceof Error && error.name === "TimeoutError" ? "ETIMEDOUT" : (errorCode(error) ?? "");
    const row = failures.find(({ codes }) => codes.test(code));
    const says = error instanceof Error ? error.message : String(error);
    return new StoreError(`Qdrant at ${this.shown} ${row ? row.sentence : `could not be asked: ${says}.`}`);
  }
}

/** By Node's codes. */
const failures: readonly { codes: RegExp; sentence: string }[] = [
  { codes: /^ECONNREFUSED$/, sentence: "is not running: start it (`harness services start`), or check the address." },
  { codes: /^(ENOTFOUND|EAI_AGAIN)$/, sentence: "cannot be found: check the host's name and the network." },
  {
    codes: /^(ETIMEDOUT|EHOSTUNREACH|ENETUNREACH)$/,
    sentence: "did not answer within a minute: check the address and the network.",
  },
  { codes: LOST, sentence: "closed the connection again and again: look at its log." },
  {
    codes: /^(EPROTO|ERR_SSL_|ERR_TLS_|CERT_|DEPTH_ZERO|SELF_SIGNED|UNABLE_TO_|HPE_)/,
    sentence: "does not speak the protocol of the address: check `http` or `https`, its port, and the certificate.",
  },
];

function isNear(hostname: string): boolean {
  return hostname === "localhost" || isOwnNetwork(hostname.replace(/^\[|\]$/g, ""));
}

async function textOf(response: IncomingMessage): Promise<string> {
  const pieces: Buffer[] = [];
  let bytes = 0;
  for await (const piece of response) {
    const buffer = Buffer.from(piece);
    bytes += buffer.length;
    if (bytes > MAX_ANSWER_BYTES) throw new StoreError("Qdrant sent a longer answer than it was asked for.");
    pieces.push(buffer);
  }
  return Buffer.concat(pieces).toString();
}

function parsed(text: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isRecord(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

function errorOf(answer: Record<string, unknown> | undefined): string | undefined {
  const status = answer?.status;
  return isRecord(status) && typeof status.error === "string" ? status.error : undefined;
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** JSON parsers other than JavaScript's refuse half characters. */
function wellFormedJson(value: object): string {
  return JSON.stringify(value, (_, inner: unknown) => (typeof inner === "string" ? inner.toWellFormed() : inner));
}
