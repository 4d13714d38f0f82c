import type { ModelRequest } from "@harness/core";
import { asRecord, isRecord } from "../json/lenient-json.ts";
import type { Endpoint } from "./endpoint/endpoint.ts";
import { readErrorBody } from "./failures/error-text.ts";
import { explain, NotTheApi } from "./failures/failure.ts";
import { Exchange, HttpFailure, TimeoutFailure } from "./http/exchange.ts";
import { bearer, RequestAccess } from "./http/request-access.ts";
import { ReplyReading } from "./reply-reading.ts";
import { DocumentFraming, type Framing } from "./sse/framing.ts";
import type { Ports, WireApi, WireEvent, WireProvider } from "./wire-api.ts";

/** A provider for one endpoint by its wire API: one request, one reply, no retry. */
export function createWireProvider(api: WireApi, endpoint: Endpoint, ports: Ports): WireProvider {
  const refused = new Map<string, Set<string>>();
  return {
    id: endpoint.vendor.id,
    async *stream(request, signal) {
      const without = refused.get(request.model) ?? new Set();
      refused.set(request.model, without);
      const entry = new RequestAccess(endpoint, signal);
      for (;;) {
        const attempt = new Attempt({ api, endpoint, ports, request, signal, entry });
        const last = yield* attempt.run(without);
        if (last.type !== "again") {
          yield last;
          return;
        }
        if (last.without !== undefined) without.add(last.without);
      }
    },
  };
}

type Last = WireEvent | { type: "again"; without?: string };

type AttemptParts = {
  api: WireApi;
  endpoint: Endpoint;
  ports: Ports;
  request: ModelRequest;
  signal: AbortSignal;
  entry: RequestAccess;
};

class Attempt {
  readonly #api: WireApi;
  readonly #endpoint: Endpoint;
  readonly #ports: Ports;
  readonly #request: ModelRequest;
  readonly #signal: AbortSignal;
  readonly #entry: RequestAccess;
  readonly #exchange: Exchange;
  readonly #reading: ReplyReading;
  #body: Record<string, unknown> = {};
  #isEmpty = true;

  constructor({ api, endpoint, ports, request, signal, entry }: AttemptParts) {
    this.#api = api;
    this.#endpoint = endpoint;
    this.#ports = ports;
    this.#request = request;
    this.#signal = signal;
    this.#entry = entry;
    this.#exchange = new Exchange(endpoint, ports.clock, { onSent: request.onSent, signal });
    this.#reading = new ReplyReading(request, ports.random, (draft) => api.reader(draft, endpoint));
  }

  async *run(without: ReadonlySet<string>): AsyncGenerator<WireEvent, Last> {
    let allRead = false;
    try {
      await this.#send(without);
      yield* this.#receive();
      allRead = true;
      this.#checkApi();
      return this.#reading.whole();
    } catch (error) {
      return await this.#failed(this.#exchange.problem ?? error);
    } finally {
      await this.#exchange.close({ allRead });
    }
  }

  async #send(without: ReadonlySet<string>): Promise<void> {
    this.#body = this.#api.body(this.#request, this.#endpoint);
    for (const field of without) omit(this.#body, field);
    const access = await this.#entry.access();
    this.#exchange.authorize(this.#api.headers?.(access, this.#endpoint) ?? bearer(access));
    await this.#api.send({ body: this.#body, endpoint: this.#endpoint, fetch: this.#exchange.fetch });
  }

  async *#receive(): AsyncGenerator<WireEvent> {
    const framing = this.#framing();
    const { draft } = this.#reading;
    for await (const bytes of this.#exchange.body()) {
      this.#isEmpty &&= bytes.length === 0;
      yield* this.#reading.take(framing.push(bytes));
      if (draft.isClosed) return;
      if (draft.finish !== undefined) this.#exchange.expectClose();
    }
    yield* this.#reading.take(framing.end());
  }

  /** A server that answers in another format than asked for is understood when it is one document, and named otherwise. */
  #framing(): Framing {
    const { contentType } = this.#exchange;
    if (this.#api.contentType.test(contentType) || contentType === "") return this.#api.framing();
    if (contentType.includes("json")) return new DocumentFraming();
    if (contentType.includes("html")) throw new NotTheApi("a web page");
    if (contentType.includes("event-stream")) throw new NotTheApi("a stream of another format");
    return this.#api.framing();
  }

  /** What came whole and is no piece of a reply will be the same next time: nothing broke. */
  #checkApi(): void {
    const { seen } = this.#reading;
    // A stream of the right format may end before its first event when a server fails.
    if (seen === "reply" || (seen === "nothing" && this.#api.contentType.test(this.#exchange.contentType))) return;
    if (this.#isEmpty) throw new NotTheApi("an empty body");
    throw new NotTheApi(seen === "foreign" ? "JSON that is no model's reply" : "text that is no model's reply");
  }

  async #failed(cause: unknown): Promise<Last> {
    const { draft } = this.#reading;
    // The reply was complete; only the close of the connection went wrong.
    if (!this.#signal.aborted && draft.isComplete && isTransport(cause)) return this.#reading.whole();
    const field = refusedField(cause, this.#api.optional, this.#body);
    if (field !== undefined && !this.#signal.aborted) return { type: "again", without: field };
    let reason = cause;
    try {
      if (await this.#entry.isRenewedAfter(cause)) return { type: "again" };
    } catch (problem) {
      reason = problem;
    }
    if (this.#signal.aborted) return this.#reading.cut();
    const parts = draft.visibleParts();
    const asked = { endpoint: this.#endpoint, model: this.#request.model, now: this.#ports.clock.now() };
    return { type: "failed", ...explain(reason, asked, this.#entry.secret), ...(parts.length > 0 && { parts }) };
  }
}

function isTransport(cause: unknown): boolean {
  return cause instanceof TimeoutFailure || (cause instanceof Error && "code" in cause);
}

function refusedField(
  cause: unknown,
  optional: Readonly<Record<string, RegExp>>,
  body: Record<string, unknown>,
): string | undefined {
  if (!(cause instanceof HttpFailure) || (cause.status !== 400 && cause.status !== 422)) return undefined;
  const { codes, message } = readErrorBody(cause.body);
  const words = `${codes} ${message}`;
  return Object.keys(optional).find((field) => valueAt(body, field) !== undefined && optional[field]?.test(words));
}

function valueAt(body: Record<string, unknown>, field: string): unknown {
  return field.split(".").reduce<unknown>((value, name) => asRecord(value)[name], body);
}

function omit(body: Record<string, unknown>, field: string): void {
  const [name = "", inner] = field.split(".");
  if (inner === undefined) delete body[name];
  else if (isRecord(body[name])) body[name] = { ...body[name], [inner]: undefined };
}
