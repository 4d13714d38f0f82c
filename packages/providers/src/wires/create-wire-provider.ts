import type { ModelRequest } from "@harness/core";
import { asRecord, isRecord, parseJson } from "../json/lenient-json.ts";
import type { Endpoint } from "./endpoint/endpoint.ts";
import { readErrorBody } from "./failures/error-text.ts";
import { BrokenStream, explain, NotTheApi } from "./failures/failure.ts";
import { Exchange, HttpFailure, TimeoutFailure } from "./http/exchange.ts";
import { bearer, RequestAccess } from "./http/request-access.ts";
import { idsIn, newId } from "./reply/call-ids.ts";
import { ReplyDraft } from "./reply/reply-draft.ts";
import { DocumentFraming, type Framing, type StreamEvent } from "./sse/framing.ts";
import type { Ports, WireApi, WireEvent, WireProvider, WireReader } from "./wire-api.ts";

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
  readonly #draft: ReplyDraft;
  readonly #reader: WireReader;
  #body: Record<string, unknown> = {};

  constructor({ api, endpoint, ports, request, signal, entry }: AttemptParts) {
    this.#api = api;
    this.#endpoint = endpoint;
    this.#ports = ports;
    this.#request = request;
    this.#signal = signal;
    this.#entry = entry;
    this.#exchange = new Exchange(endpoint, ports.clock, signal);
    this.#draft = new ReplyDraft({ takenIds: () => idsIn(request), newId: () => newId(ports.random) });
    this.#reader = api.reader(this.#draft, endpoint);
  }

  async *run(without: ReadonlySet<string>): AsyncGenerator<WireEvent, Last> {
    let allRead = false;
    try {
      await this.#send(without);
      yield* this.#receive();
      allRead = true;
      return this.#end();
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
    for await (const bytes of this.#exchange.body()) {
      for (const event of framing.push(bytes)) this.#read(event);
      yield* this.#draft.takeDeltas();
      if (this.#draft.isClosed) return;
      if (this.#draft.finish !== undefined) this.#exchange.expectClose();
    }
    for (const event of framing.end()) this.#read(event);
    yield* this.#draft.takeDeltas();
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

  /** Events that are not JSON are skipped: one damaged event need not cost the reply. */
  #read(event: StreamEvent): void {
    const text = event.lines.length === 1 ? (event.lines[0] ?? "") : event.lines.join("\n");
    if (this.#draft.isClosed) return;
    if (this.#reader.isEnd(text)) {
      this.#draft.isClosed = true;
      return;
    }
    const whole = parseJson(text);
    if (whole.ok) {
      this.#reader.read(whole.value, event.name);
      return;
    }
    if (event.lines.length < 2) return;
    for (const line of event.lines) this.#read({ lines: [line], ...(event.name && { name: event.name }) });
  }

  #end(): Last {
    if (!this.#draft.isComplete) throw new BrokenStream("the stream ended early");
    this.#reader.finish();
    return this.#draft.end();
  }

  async #failed(cause: unknown): Promise<Last> {
    const draft = this.#draft;
    // The reply was complete; only the close of the connection went wrong.
    if (!this.#signal.aborted && draft.isComplete && isTransport(cause)) {
      this.#reader.finish();
      return draft.end();
    }
    const field = refusedField(cause, this.#api.optional, this.#body);
    if (field !== undefined && !this.#signal.aborted) return { type: "again", without: field };
    let reason = cause;
    try {
      if (await this.#entry.isRenewedAfter(cause)) return { type: "again" };
    } catch (problem) {
      reason = problem;
    }
    const parts = draft.visibleParts();
    if (this.#signal.aborted) {
      return { type: "end", parts, stop: "cut", ...(draft.usage && { usage: draft.usage }) };
    }
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
