import type { Clock } from "@harness/core";
import { isRecord, tryParseJson } from "../json/lenient-json.ts";
import type { Endpoint } from "../wires/endpoint/endpoint.ts";
import { readErrorBody, readErrorObject } from "../wires/failures/error-text.ts";
import { StreamError, WrongApiError } from "../wires/failures/failure.ts";
import { Exchange, HttpError } from "../wires/http/exchange.ts";
import { RequestAccess } from "../wires/http/request-access.ts";
import type { Ticket } from "../wires/queue/endpoint-queue.ts";
import type { Admission } from "../wires/queue/endpoint-queues.ts";
import { answerText } from "./answer-text.ts";
import { embeddingFailure } from "./embedding-failures.ts";
import type { EmbeddingWire } from "./embedding-wires.ts";
import type { RawVectors, VectorFailure, VectorRequest, VectorSource } from "./vector-source.ts";

/** A server on this machine answers one text after the other anyway; others take more at once. */
const NEAR_BATCH = { texts: 16, tokens: 8_192 };
const FAR_BATCH = { texts: 96, tokens: 48_000 };
const MAX_RETRIES = 4;

type EndpointVectorOptions = {
  wire: EmbeddingWire;
  endpoint: Endpoint;
  model: string;
  clock: Clock;
  /** Absent: no queue. */
  queue?: Admission["queue"];
};

/** The embeddings of a server, through the vendor's client and our own exchange. */
export class EndpointVectorSource implements VectorSource {
  readonly #options: EndpointVectorOptions;
  /** Fields that the server has refused. */
  readonly #refused = new Set<string>();

  constructor(options: EndpointVectorOptions) {
    this.#options = options;
  }

  get shown(): string {
    const { endpoint, model } = this.#options;
    return `${model} of ${endpoint.vendor.name} at ${endpoint.shown}`;
  }

  get batch(): { texts: number; tokens: number } {
    return this.#options.endpoint.near ? NEAR_BATCH : FAR_BATCH;
  }

  get retries(): number {
    return this.#options.endpoint.limits?.().maxRetries ?? MAX_RETRIES;
  }

  async request(request: VectorRequest): Promise<RawVectors | VectorFailure> {
    const { queue } = this.#options;
    // The question of a turn waits for other turns only; the texts of an index wait for everything.
    const ticket = queue?.enter({ priority: request.isQuery ? "subagent" : "background" });
    try {
      if (ticket) await granted(ticket, request.signal);
      if (request.signal.aborted) return stopped();
      return await this.#requestNow(request);
    } finally {
      ticket?.leave();
    }
  }

  async #requestNow({ texts, signal }: VectorRequest): Promise<RawVectors | VectorFailure> {
    const { endpoint, clock, model, wire } = this.#options;
    const access = new RequestAccess(endpoint, signal);
    for (;;) {
      const body = wire.body(model, texts, endpoint);
      for (const field of this.#refused) delete body[field];
      const exchange = new Exchange(endpoint, clock, { signal });
      let allRead = false;
      try {
        const answer = await answerText(exchange, access, (send) => wire.send({ body, endpoint, fetch: send }));
        allRead = true;
        return this.#vectorsIn(answer, texts.length);
      } catch (error) {
        const cause = exchange.problem ?? error;
        if (signal.aborted) return stopped();
        if (this.#hasRefused(cause, body)) continue;
        const reason = await renewedOr(access, cause);
        if (reason === undefined) continue;
        return embeddingFailure(reason, { endpoint, model, now: clock.now(), secret: access.secret });
      } finally {
        await exchange.close({ allRead });
      }
    }
  }

  #vectorsIn(text: string, wanted: number): RawVectors | VectorFailure {
    const { wire, endpoint, model } = this.#options;
    const parsed = tryParseJson(text);
    if (!parsed.ok) {
      return { type: "unusable", message: `The answer of ${this.shown} is not complete JSON.`, isRetryable: true };
    }
    const vectors = wire.read(parsed.value);
    if (!vectors) {
      const error = isRecord(parsed.value) && parsed.value.error ? readErrorObject(parsed.value) : undefined;
      const cause = error ? new StreamError(error) : new WrongApiError("JSON without embeddings");
      return embeddingFailure(cause, { endpoint, model, now: this.#options.clock.now(), secret: endpoint.key });
    }
    if (vectors.length === wanted) return { type: "vectors", vectors };
    const message = `${this.shown} answered ${texts(wanted)} with ${vectors.length === 1 ? "1 vector" : `${vectors.length} vectors`}.`;
    return { type: "unusable", message };
  }

  /** True if the request may work without a field that the server complains about. */
  #hasRefused(cause: unknown, body: Record<string, unknown>): boolean {
    if (!(cause instanceof HttpError) || ![400, 422].includes(cause.status)) return false;
    const { codes, message } = readErrorBody(cause.body);
    const field = Object.entries(this.#options.wire.optional).find(
      ([name, words]) => body[name] !== undefined && words.test(`${codes} ${message}`),
    )?.[0];
    if (field !== undefined) this.#refused.add(field);
    return field !== undefined;
  }
}

/** Undefined: the credentials were renewed, and the request is sent again. */
async function renewedOr(access: RequestAccess, cause: unknown): Promise<unknown> {
  try {
    return (await access.isRenewedAfter(cause)) ? undefined : cause;
  } catch (problem) {
    return problem;
  }
}

async function granted(ticket: Ticket, signal: AbortSignal): Promise<void> {
  while (ticket.slot === undefined && !signal.aborted) await ticket.changed(signal);
}

function stopped(): VectorFailure {
  return { type: "failed", problem: { kind: "stopped", message: "The request was stopped." }, isRetryable: false };
}

function texts(count: number): string {
  return count === 1 ? "1 text" : `${count} texts`;
}
