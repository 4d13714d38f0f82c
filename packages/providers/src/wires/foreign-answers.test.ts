// An address that answers 200 with something that no model API sends: it is named, and not asked again.
import { createServer, type OutgoingHttpHeaders, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { failedEvent, talk } from "@harness/testkit";
import { afterEach, describe, expect, it } from "vitest";
import { InstantClock, ManualClock } from "../../test/clocks.ts";
import { createProvider } from "../../test/create-provider.ts";
import { vendorOf } from "../../test/vendor-of.ts";

/** Waits between two attempts are over at once, and no server counts as silent. */
const retryClock = new InstantClock("2026-11-27T12:00:00Z");
const clock = new ManualClock();
let server: Server | undefined;
afterEach(() => {
  server?.close();
  server?.closeAllConnections();
});

async function answering(id: string, headers: OutgoingHttpHeaders, body: string) {
  let asked = 0;
  const listening = createServer((request, response) => {
    request.resume().on("end", () => {
      asked += 1;
      response.writeHead(200, headers).end(body);
    });
  });
  server = listening;
  await new Promise<void>((done) => listening.listen(0, "127.0.0.1", done));
  const { port } = listening.address() as AddressInfo;
  const vendor = vendorOf(id);
  if (!vendor) throw new Error(id);
  const provider = createProvider(vendor, {
    baseUrl: `http://127.0.0.1:${port}`,
    key: "k",
    clock,
    retryClock,
    random: () => 0,
  });
  const { failure } = failedEvent(await talk(provider));
  return { failure, asked, address: `127.0.0.1:${port}` };
}

const json = { "content-type": "application/json" };
const stream = { "content-type": "text/event-stream" };
const foreign: [name: string, headers: OutgoingHttpHeaders, body: string][] = [
  ["an object", json, '{"hello":"world"}'],
  ["a list", json, "[1,2,3]"],
  ["a list without a type", {}, "[1,2,3]"],
  ["a string", json, '"hello"'],
  ["a number", json, "42"],
  ["several lines of an object", json, '{\n  "status": "ok"\n}\n'],
  ["an object in a stream", stream, 'data: {"hello":"world"}\n\n'],
  ["a web page", { "content-type": "text/html" }, "<!doctype html><title>Hello</title>"],
  ["a web page without a type", {}, "<!doctype html>\n<title>Hello</title>\n"],
  ["plain text", { "content-type": "text/plain" }, "It works!\n"],
  ["nothing", json, ""],
  ["nothing, without a type", {}, ""],
];

describe.each(["openai", "anthropic", "ollama"])("a foreign answer, for %s", (id) => {
  it.each(foreign)("is named, and asked for once: %s", async (_name, headers, body) => {
    const { failure, asked, address } = await answering(id, headers, body);
    expect(failure.kind).toBe("badRequest");
    expect(failure.message).toContain("does not speak the expected API: it answered with ");
    expect(failure.message).toContain(address);
    expect(asked).toBe(1);
  });

  it.each([
    ["half an object", json, '{"choices":[{"mess'],
    [
      "a stream that ends before its first event",
      id === "ollama" ? { "content-type": "application/x-ndjson" } : stream,
      "",
    ],
  ])("is not %s: that is asked for again", async (_name, headers, body) => {
    const { failure, asked } = await answering(id, headers, body);
    expect(failure.kind).toBe("network");
    expect(asked).toBeGreaterThan(1);
  });
});
