import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type EndedSpan, SpanPublisher } from "./span-publisher.ts";

const span: EndedSpan = {
  ...{ traceId: "a".repeat(32), spanId: "b".repeat(16), parentSpanId: undefined, name: "chat m", kind: "client" },
  ...{ startMs: 1_700_000_000_123, endMs: 1_700_000_000_456 },
  attributes: { text: "a", count: 2, share: 0.5, isIt: true, list: ["x"], absent: undefined },
};

let collector: Server;
let bodies: string[];
let reported: unknown[];

beforeEach(async () => {
  bodies = [];
  reported = [];
  collector = createServer((request, response) => {
    void text(request).then((body) => {
      bodies.push(body);
      response.end("{}");
    });
  });
  await new Promise<void>((done) => collector.listen(0, "127.0.0.1", done));
});
afterEach(() => void collector.close());

function publisher(decision: { refused: string } | Record<string, never> = {}) {
  const { port } = collector.address() as AddressInfo;
  return new SpanPublisher({
    ...{
      url: new URL(`http://127.0.0.1:${port}/v1/traces`),
      headers: {},
      resource: { "service.name": "t" },
      version: "1",
    },
    egress: { localOnly: false, leave: () => decision, barrier: () => Promise.resolve(undefined) },
    report: (error) => void reported.push(error),
    later: () => () => undefined,
  });
}

const sent = () => bodies.map((body) => JSON.parse(body).resourceSpans[0].scopeSpans[0].spans.length);

describe("the publisher of spans", () => {
  it("writes OTLP as JSON", async () => {
    const spans = publisher();
    spans.add({ ...span, failure: "auth" });
    await spans.flush();
    expect(JSON.parse(bodies[0] ?? "")).toEqual({
      resourceSpans: [
        {
          resource: { attributes: [{ key: "service.name", value: { stringValue: "t" } }] },
          scopeSpans: [
            {
              scope: { name: "harness", version: "1" },
              spans: [
                {
                  ...{
                    traceId: span.traceId,
                    spanId: span.spanId,
                    flags: 1,
                    name: "chat m",
                    kind: 3,
                    status: { code: 2 },
                  },
                  ...{ startTimeUnixNano: "1700000000123000000", endTimeUnixNano: "1700000000456000000" },
                  attributes: [
                    { key: "text", value: { stringValue: "a" } },
                    { key: "count", value: { intValue: "2" } },
                    { key: "share", value: { doubleValue: 0.5 } },
                    { key: "isIt", value: { boolValue: true } },
                    { key: "list", value: { arrayValue: { values: [{ stringValue: "x" }] } } },
                    { key: "error.type", value: { stringValue: "auth" } },
                  ],
                },
              ],
            },
          ],
        },
      ],
    });
  });

  it("keeps a bounded number, and sends them in batches", async () => {
    const spans = publisher();
    // The first batch is on its way; the others wait for it.
    for (let n = 0; n < 10_000; n += 1) spans.add(span);
    await spans.flush();
    expect(sent().every((count) => count <= 512)).toBe(true);
    expect(sent().reduce((sum, count) => sum + count, 0)).toBe(2_048 + 512);
  });

  it("drops what is refused, and reports that once", async () => {
    const spans = publisher({ refused: "Not in local-only mode." });
    for (const _ of [1, 2]) {
      spans.add(span);
      await spans.flush();
    }
    expect([bodies, reported]).toEqual([[], [new Error("Not in local-only mode.")]]);
  });
});
