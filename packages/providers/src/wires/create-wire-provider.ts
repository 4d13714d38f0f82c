import type { ModelRequest, SentBody } from "@harness/core";
import { asRecord, isRecord } from "../json/lenient-json.ts";
import type { Endpoint } from "./endpoint/endpoint.ts";
import { readErrorBody } from "./failures/error-text.ts";
import { explain, StreamError, WrongApiError } from "./failures/failure.ts";
import { away } from "./failures/transport-failure.ts";
import { Exchange, HttpError, RequestTimeoutError } from "./http/exchange.ts";
import { bearer, RequestAccess } from "./http/request-access.ts";
import { ReplyReading } from "./reply-reading.ts";
import type { BodyForms } from "./request/body-form.ts";
import { LearnedRefusals } from "./request/learned-refusals.ts";
import { DocumentFraming, type Framing } from "./sse/framing.ts";
import type { Ports, WireApi, WireEvent, WireProvider } from "./wire-api.ts";

/**
 * A provider for one endpoint through its wire API: one request, one reply, no retry. `learned`: what its server has
 * refused.
 */
export function createWireProvider(
  api: WireApi,
  endpoint: Endpoint,
  ports: Ports,
  learned = new LearnedRefusals(),
): WireProvider {
  return {
    id: endpoint.vendor.id,
    async *stream(request, signal) {
      const refused = learned.of(endpoint, request.model);
      const entry = new RequestAccess(endpoint, signal);
      for (;;) {
        const attempt = new Attempt({ api, endpoint, ports, request, signal, entry });
        const last = yield* attempt.run(refused);
        if (last.type !== "again") {
          yield last;
          return;
        }
        if (last.refused !== undefined) refused.add(last.refused);
      }
    },
  };
}

/** `refused`: a field, or the name of the form that the server requires. */
type Last = WireEvent | { type: "again"; refused?: string };

type AttemptOptions = {
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
  #refused: readonly string[] = [];
  #isEmpty = true;

  constructor({ api, endpoint, ports, request, signal, entry }: AttemptOptions) {
    this.#api = api;
    this.#endpoint = endpoint;
    this.#ports = ports;
    this.#request = request;
    this.#signal = signal;
    this.#entry = entry;
    this.#exchange = new Exchange(endpoint, ports.clock, { onSent: (sent) => this.#sent(sent), signal });
    this.#reading = new ReplyReading(request, ports.random, (draft) => api.reader(draft, endpoint));
  }

  async *run(refused: ReadonlySet<string>): AsyncGenerator<WireEvent, Last> {
    let allRead = false;
    try {
      await this.#send(refused);
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

  async #send(refused: ReadonlySet<string>): Promise<void> {
    this.#refused = [...refused];
    this.#body = wireBody(this.#api, this.#endpoint, this.#request, refused);
    const access = await this.#entry.access();
    this.#exchange.authorize(this.#api.headers?.(access, this.#endpoint) ?? bearer(access));
    await this.#api.send({ body: this.#body, endpoint: this.#endpoint, fetch: this.#exchange.fetch });
  }

  #sent(sent: SentBody): void {
    const form = { refused: this.#refused, request: this.#request, fields: this.#body };
    this.#request.onSent?.({ ...sent, form });
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

  /**
   * A server that answers in a different format than requested is understood if it sends a single document, and
   * otherwise reported.
   */
  #framing(): Framing {
    const { contentType } = this.#exchange;
    if (this.#api.contentType.test(contentType) || contentType === "") return this.#api.framing();
    if (contentType.includes("json")) return new DocumentFraming();
    if (contentType.includes("html")) throw new WrongApiError("a web page");
    if (contentType.includes("event-stream")) throw new WrongApiError("a stream of another format");
    return this.#api.framing();
  }

  /** A complete answer that is not part of a reply would be the same next time: nothing broke. */
  #checkApi(): void {
    const { seen } = this.#reading;
    // A stream of the right format may end before its first event if a server fails.
    if (seen === "reply" || (seen === "nothing" && this.#api.contentType.test(this.#exchange.contentType))) return;
    if (this.#isEmpty) throw new WrongApiError("an empty body");
    throw new WrongApiError(
      seen === "foreign" ? "JSON that is not a model's reply" : "text that is not a model's reply",
    );
  }

  /** The part of the body that the server does not accept, if a different body may work. */
  #refusal(cause: unknown): string | undefined {
    const words = refusalWords(cause);
    if (words === undefined || this.#reading.draft.visibleParts().length > 0) return undefined;
    const form = wantedForm(words, this.#api.forms ?? {}, this.#body);
    if (form !== undefined) return form;
    const mayOmit = cause instanceof HttpError && cause.status !== 500;
    return mayOmit ? refusedField(words, this.#api.optional, this.#body) : undefined;
  }

  async #failed(cause: unknown): Promise<Last> {
    const { draft } = this.#reading;
    // The reply was complete; only closing the connection failed.
    if (!this.#signal.aborted && draft.isComplete && isTransport(cause)) return this.#reading.whole();
    const refused = this.#refusal(cause);
    if (refused !== undefined && !this.#signal.aborted) return { type: "again", refused };
    let reason = cause;
    try {
      if (await this.#entry.isRenewedAfter(cause)) return { type: "again" };
    } catch (problem) {
      reason = problem;
    }
    if (this.#signal.aborted) return this.#reading.cut();
    const parts = draft.visibleParts();
    const failedRequest = { endpoint: this.#endpoint, model: this.#request.model, now: this.#ports.clock.now() };
    const explained = explain(reason, failedRequest, this.#entry.secret);
    const { isTurnedAway, wasConnected } = this.#exchange;
    return {
      type: "failed",
      ...(isTurnedAway ? { ...away(explained, failedRequest), isTurnedAway } : explained),
      ...(wasConnected && { wasConnected }),
      ...(parts.length > 0 && { parts }),
    };
  }
}

/** The body of a request to a server that has refused these fields and forms. */
export function wireBody(
  api: WireApi,
  endpoint: Endpoint,
  request: ModelRequest,
  refused: ReadonlySet<string>,
): Record<string, unknown> {
  const { forms = {} } = api;
  const usual = api.body(request, endpoint);
  for (const name of refused) if (!Object.hasOwn(forms, name)) omit(usual, name);
  // In table order, because one form may require work by the next.
  const wanted = Object.entries(forms).filter(([name]) => refused.has(name));
  const body = wanted.reduce((written, [, form]) => form.write(written), usual);
  return endpoint.streams === false ? inOnePiece(body) : body;
}

/** Chat templates fail with 500; some servers report that inside a stream. */
const FORM_STATUSES: ReadonlySet<number> = new Set([400, 422, 500]);

/** The message of a server that refuses a request; undefined: it did not refuse. */
function refusalWords(cause: unknown): string | undefined {
  if (cause instanceof StreamError) return `${cause.error.codes} ${cause.error.message}`;
  if (!(cause instanceof HttpError) || !FORM_STATUSES.has(cause.status)) return undefined;
  const { codes, message } = readErrorBody(cause.body);
  return `${codes} ${message}`;
}

function wantedForm(words: string, forms: BodyForms, body: Record<string, unknown>): string | undefined {
  return Object.entries(forms).find(([, form]) => form.wanted.test(words) && form.write(body) !== body)?.[0];
}

function isTransport(cause: unknown): boolean {
  return cause instanceof RequestTimeoutError || (cause instanceof Error && "code" in cause);
}

function refusedField(
  words: string,
  optional: Readonly<Record<string, RegExp>>,
  body: Record<string, unknown>,
): string | undefined {
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

/** Removes the fields that only apply to streams. */
function inOnePiece(body: Record<string, unknown>): Record<string, unknown> {
  const { stream_options: _, tool_stream: __, return_progress: ___, ...rest } = body;
  return { ...rest, stream: false };
}
