import type { Egress } from "@harness/core";
import { sendHttp } from "@harness/host";
import type { ExporterSettings } from "./exporter-settings.ts";

export type SpanAttributes = Readonly<Record<string, string | number | boolean | readonly string[] | undefined>>;

/** A span that has ended. Times are milliseconds since 1970. */
export type EndedSpan = {
  traceId: string;
  spanId: string;
  parentSpanId: string | undefined;
  name: string;
  kind: "internal" | "client";
  startMs: number;
  endMs: number;
  attributes: SpanAttributes;
  /** A word for the failure, never its text. */
  failure?: string;
};

type PublisherDeps = ExporterSettings & {
  egress: Egress;
  version: string;
  report(error: unknown, where: string): void;
  later(ms: number, work: () => void): () => void;
};

const MAX_QUEUE = 2_048;
const MAX_BATCH = 512;
const DELAY_MS = 5_000;
const TIMEOUT_MS = 10_000;
const KINDS = { internal: 1, client: 3 } as const;

/** Sends spans in batches, and drops them rather than wait: nothing depends on them. Never throws. */
export class SpanPublisher {
  readonly #deps: PublisherDeps;
  #queue: EndedSpan[] = [];
  #sending: Promise<void> | undefined;
  #timer: (() => void) | undefined;
  #hasReported = false;

  constructor(deps: PublisherDeps) {
    this.#deps = deps;
  }

  add(span: EndedSpan): void {
    if (this.#queue.length >= MAX_QUEUE) return;
    this.#queue.push(span);
    if (this.#queue.length >= MAX_BATCH) void this.flush();
    else this.#timer ??= this.#deps.later(DELAY_MS, () => void this.flush());
  }

  /** Sends everything; never rejects. */
  flush(): Promise<void> {
    this.#timer?.();
    this.#timer = undefined;
    this.#sending ??= this.#sendAll().finally(() => {
      this.#sending = undefined;
    });
    return this.#sending;
  }

  async #sendAll(): Promise<void> {
    while (this.#queue.length > 0) {
      const batch = this.#queue.splice(0, MAX_BATCH);
      try {
        await this.#send(JSON.stringify(this.#request(batch)));
      } catch (error) {
        // A collector that is down stays down for a while.
        if (!this.#hasReported) this.#deps.report(error, "tracing");
        this.#hasReported = true;
      }
    }
  }

  async #send(body: string): Promise<void> {
    const { url, headers, egress } = this.#deps;
    const decision = egress.leave({ purpose: "traces", method: "POST", url: url.href });
    if ("refused" in decision) throw new Error(decision.refused);
    const response = await sendHttp({
      ...{ url, method: "POST", body, signal: AbortSignal.timeout(TIMEOUT_MS), judge: decision.judge },
      headers: { ...headers, "content-type": "application/json", "content-length": String(Buffer.byteLength(body)) },
      connection: decision.judge ? "near" : "far",
    });
    response.resume();
    const { statusCode: status = 0 } = response;
    if (status >= 300) throw new Error(`The collector at ${url.origin} answered with status ${status}.`);
  }

  #request(spans: readonly EndedSpan[]) {
    const { resource, version } = this.#deps;
    const scope = { name: "harness", version };
    return {
      resourceSpans: [
        { resource: { attributes: keyValues(resource) }, scopeSpans: [{ scope, spans: spans.map(spanJson) }] },
      ],
    };
  }
}

function spanJson({ traceId, spanId, parentSpanId, name, kind, startMs, endMs, attributes, failure }: EndedSpan) {
  return {
    ...{ traceId, spanId, ...(parentSpanId === undefined ? {} : { parentSpanId }), flags: 1, name },
    kind: KINDS[kind],
    startTimeUnixNano: nanoseconds(startMs),
    endTimeUnixNano: nanoseconds(Math.max(startMs, endMs)),
    attributes: keyValues(failure === undefined ? attributes : { ...attributes, "error.type": failure }),
    status: failure === undefined ? {} : { code: 2 },
  };
}

function nanoseconds(ms: number): string {
  return `${Math.round(ms)}000000`;
}

function keyValues(attributes: SpanAttributes) {
  return Object.entries(attributes).flatMap(([key, value]) =>
    value === undefined ? [] : [{ key, value: anyValue(value) }],
  );
}

function anyValue(value: NonNullable<SpanAttributes[string]>): object {
  if (typeof value === "string") return { stringValue: value };
  if (typeof value === "boolean") return { boolValue: value };
  if (typeof value === "number") return Number.isInteger(value) ? { intValue: String(value) } : { doubleValue: value };
  return { arrayValue: { values: value.map((each) => ({ stringValue: each })) } };
}
