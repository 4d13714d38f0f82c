import { subscribe, unsubscribe } from "node:diagnostics_channel";
import dns from "node:dns";
import { type ClientRequest, createServer, type RequestListener, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { setImmediate as nextTick } from "node:timers/promises";
import type { Clock, ModelEvent } from "@harness/core";
import { endEvent, failedEvent, joinDeltas, startModelServer, talk, turns } from "@harness/testkit";
import { afterEach, describe, expect, it, vi } from "vitest";
import { InstantClock, ManualClock, realClock } from "../test/clocks.ts";
import { vendorOf } from "../test/vendor-of.ts";
import { locate } from "./vendors/locate.ts";
import { createWireProvider } from "./wires/create-wire-provider.ts";
import { ollamaChat } from "./wires/ollama/ollama.ts";
import { openAiChat } from "./wires/openai/openai-chat.ts";
import { withRetry } from "./wires/retry/retry.ts";
import type { WireProvider } from "./wires/wire-api.ts";

// Faults of servers and lines, by their row in the fault matrix. Most others are in the contract of providers.

const servers: Server[] = [];

afterEach(() => {
  vi.restoreAllMocks();
  for (const server of servers.splice(0)) {
    server.close();
    server.closeAllConnections();
  }
});

async function serve(listener: RequestListener): Promise<string> {
  const server = createServer(listener);
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

function endpoint(id: string, baseUrl: string) {
  const vendor = vendorOf(id);
  const located = vendor && locate(vendor, { baseUrl, key: "sk-secret-key-1234567890" });
  if (!located?.ok) throw new Error(id);
  return located.endpoint;
}

/** `clock` counts the silence of the server. */
function connect(baseUrl: string, clock: Clock = realClock, id = "openai"): WireProvider {
  const api = id === "ollama" ? ollamaChat : openAiChat;
  return createWireProvider(api, endpoint(id, baseUrl), { clock, random: () => 1 });
}

/** With retries whose sleep is over at once. */
function connectRetrying(baseUrl: string, id?: string) {
  const clock = new InstantClock("2026-11-21T10:00:00Z");
  return withRetry(connect(baseUrl, { ...realClock, now: () => clock.now() }, id), { clock, random: () => 1 });
}

const delays = (events: ModelEvent[]) => events.flatMap((event) => (event.type === "retry" ? [event.delayMs] : []));

const sse = { "content-type": "text/event-stream" };
const chunk = (delta: unknown, finish: string | null = null) =>
  `data: ${JSON.stringify({ choices: [{ index: 0, delta, finish_reason: finish }] })}\n\n`;

const whole = `${chunk({ content: "fine" })}${chunk({}, "stop")}data: [DONE]\n\n`;

/** Resolves when the test says so. */
function once(): { given: Promise<void>; give: () => void } {
  const { promise, resolve } = Promise.withResolvers<void>();
  return { given: promise, give: resolve };
}

describe("row 2: a name that cannot be looked up", () => {
  const failing = (code: string) => {
    const fake = (_host: string, _options: unknown, done: (error: Error) => void) => {
      queueMicrotask(() => done(Object.assign(new Error(`getaddrinfo ${code}`), { code, syscall: "getaddrinfo" })));
    };
    return vi.spyOn(dns, "lookup").mockImplementation(fake as unknown as typeof dns.lookup);
  };

  it("is retried for a while with growing waits, and then reported", async () => {
    const lookup = failing("EAI_AGAIN");
    const events = await talk(connectRetrying("http://models.example/v1"));
    expect(lookup).toHaveBeenCalledTimes(5);
    expect(delays(events)).toEqual([500, 1000, 2000, 4000]);
    expect(failedEvent(events).failure).toMatchObject({
      kind: "network",
      message: expect.stringContaining("cannot be resolved at the moment. Check the network. Tried 5 times."),
    });
  });

  it("is reported at once when there is no such name", async () => {
    const lookup = failing("ENOTFOUND");
    const { failure } = failedEvent(await talk(connectRetrying("http://models.example/v1")));
    expect(lookup).toHaveBeenCalledTimes(1);
    expect(failure.message).toContain("does not resolve");
  });
});

describe("row 6: a stream that stalls", () => {
  it("leaves concurrent requests alone", async () => {
    const asked = once();
    let answered = 0;
    const url = await serve((_request, response) => {
      answered += 1;
      response.writeHead(200, sse);
      if (answered > 1) {
        response.end(whole);
      } else {
        response.write(chunk({ content: "half" }));
        asked.give();
      }
    });
    const clock = new ManualClock();
    const stalled = connect(`${url}/v1`, clock);
    const aborter = new AbortController();
    const first = talk(stalled, {}, aborter.signal);
    await asked.given;
    expect(joinDeltas(await talk(connect(`${url}/v1`)), "text")).toBe("fine");
    aborter.abort();
    expect(endEvent(await first)).toMatchObject({ stop: "cut", parts: [{ text: "half" }] });
  });
});

describe("a local server that reads a long prompt", () => {
  it("may take 599 s, and the HTTP client below has no limit of its own", async () => {
    const asked = once();
    const answer = once();
    const url = await serve(async (_request, response) => {
      asked.give();
      await answer.given;
      response.writeHead(200, sse).end(whole);
    });
    const sent: (ClientRequest & { timeout?: number })[] = [];
    const onSent = (message: unknown) => sent.push((message as { request: ClientRequest }).request);
    subscribe("http.client.request.start", onSent);
    const clock = new ManualClock();
    const events = talk(connect(`${url}/v1`, clock));
    await asked.given;
    unsubscribe("http.client.request.start", onSent);
    expect(sent.map(({ timeout, socket }) => [timeout, socket?.timeout ?? 0])).toEqual([[undefined, 0]]);
    await clock.pass(599_000);
    answer.give();
    expect(joinDeltas(await events, "text")).toBe("fine");
  });
});

describe("row 7: only pings", () => {
  it("keep a request alive until the total limit, and no longer", async () => {
    const gone = once();
    let ping: () => Promise<void> = async () => undefined;
    const asked = once();
    const url = await serve((request, response) => {
      response.writeHead(200, sse);
      ping = () => new Promise((resolve) => response.write(": ping\n\n", () => resolve()));
      request.socket.on("close", gone.give);
      void ping().then(asked.give);
    });
    const clock = new ManualClock();
    let isOver = false;
    const events = talk(connect(`${url}/v1`, clock)).finally(() => {
      isOver = true;
    });
    await asked.given;
    // Six hours on a local server: a ping every five minutes, half of the allowed silence.
    for (let minutes = 0; minutes < 6 * 60 - 5 && !isOver; minutes += 5) {
      await ping();
      await nextTick();
      await nextTick();
      await clock.pass(5 * 60_000);
    }
    expect(isOver).toBe(false);
    await ping();
    await clock.pass(10 * 60_000);
    const { failure } = failedEvent(await events);
    expect(failure.message).toMatch(/did not finish its reply in 6 h\.$/);
    await gone.given;
  });
});

describe("row 10: 429 with Retry-After", () => {
  it.each<[string, string, number[]]>([
    ["seconds", "2", [2_000]],
    ["a date", "Sat, 21 Nov 2026 10:00:07 GMT", [7_000]],
    ["nothing", "0", [500]],
    ["less than nothing", "-5", [500]],
    ["words", "abc", [500]],
    ["more than anybody waits", "1000000000", []],
  ])("waits for the longer of that and its own backoff: %s", async (_name, value, waits) => {
    const fault = { kind: "status", status: 429, retryAfter: value } as const;
    const server = await startModelServer({
      flavour: "openai",
      scenario: { turns: [{ ...turns.say("ok"), fault }] },
    });
    const events = await talk(connectRetrying(server.baseUrl));
    expect(delays(events)).toEqual(waits);
    if (waits.length > 0) expect(joinDeltas(events, "text")).toBe("ok");
    else expect(failedEvent(events).failure).toMatchObject({ kind: "rateLimit", retryAfterMs: 1e12 });
    await server.close();
  });
});

describe("row 11: 500, 502 with a web page, 529", () => {
  it.each([
    [500, 5],
    [502, 12],
    [529, 5],
  ])("%i is tried so often, and shown without markup and shortened: %i", async (status, times) => {
    const page = `<html><head><style>b{}</style></head><body><h1>Oh\u001b[31m no</h1>${"x".repeat(20_000)}</body></html>`;
    let asked = 0;
    const url = await serve((_request, response) => {
      asked += 1;
      response.writeHead(status, { "content-type": "text/html" }).end(page);
    });
    const { failure } = failedEvent(await talk(connectRetrying(`${url}/v1`)));
    expect(asked).toBe(times);
    expect(failure.kind).toBe("network");
    expect(failure.message).toContain(`Tried ${times} times.`);
    expect(failure.message).not.toContain("<");
    expect(failure.message).not.toContain("\u001b");
    expect(failure.message.length).toBeLessThan(1_500);
  });
});

describe("a stream with the content type of a document", () => {
  const line = (value: unknown) => `${JSON.stringify(value)}\n`;
  const told200 = async (id: string, body: string) => {
    let asked = 0;
    const url = await serve((_request, response) => {
      asked += 1;
      response.writeHead(200, { "content-type": "application/json" }).end(body);
    });
    const events = await talk(connectRetrying(id === "ollama" ? url : `${url}/v1`, id));
    expect(asked).toBe(1);
    return events;
  };

  it("is read, as lines or as events", async () => {
    const end = { message: { content: "" }, done: true, done_reason: "stop" };
    const lines = [{ message: { content: "a" }, done: false }, { message: { content: "b" }, done: false }, end];
    expect(joinDeltas(await told200("ollama", lines.map(line).join("")), "text")).toBe("ab");
    expect(joinDeltas(await told200("openai", whole), "text")).toBe("fine");
  });

  it("may be an error", async () => {
    const { failure } = failedEvent(await told200("openai", line({ error: { message: "bad", code: 400 } })));
    expect(failure.kind).toBe("badRequest");
  });
});

describe("a conversation that is too long", () => {
  it.each([
    ["llamacpp", { error: { code: 500, message: "Context size has been exceeded.", type: "server_error" } }],
    ["lmstudio", { error: { message: "Reached context length of 4096 tokens, and cannot go on." } }],
    ["lmstudio", { error: { message: "… the model is loaded with context length of only 2048 tokens." } }],
    ["vllm", { error: { message: "However, the model's context length is only 8192 tokens", code: 400 } }],
  ])("is recognised inside a stream of %s, and not sent again: %j", async (id, error) => {
    let asked = 0;
    const url = await serve((_request, response) => {
      asked += 1;
      response.writeHead(200, sse).end(`${chunk({ content: "x" })}event: error\ndata: ${JSON.stringify(error)}\n\n`);
    });
    const { failure } = failedEvent(await talk(connectRetrying(`${url}/v1`, id)));
    expect([asked, failure.kind]).toEqual([1, "overflow"]);
  });
});

describe("row 13: 401, 403, no credit", () => {
  it.each([
    [401, { error: { message: "Incorrect API key provided: sk-secret-key-1234567890.", code: "invalid_api_key" } }],
    [403, { error: { message: "sk-secret-key-1234567890 may not do this" } }],
    [402, { error: { message: "Insufficient credits" } }],
    [429, { error: { message: "You exceeded your current quota", code: "insufficient_quota" } }],
  ])("are not retried, and show no key: %i", async (status, body) => {
    let asked = 0;
    const url = await serve((_request, response) => {
      asked += 1;
      response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));
    });
    const { failure } = failedEvent(await talk(connectRetrying(`${url}/v1`)));
    expect(asked).toBe(1);
    expect(failure.kind).toBe("auth");
    expect(failure.message).not.toContain("sk-secret");
  });
});

describe("row 15: a prompt that was cut in silence", () => {
  it("shows in the count: that of Ollama is reported, not the length that was sent", async () => {
    const models = [{ id: "scripted-model", contextTokens: 4_096 }];
    const server = await startModelServer({
      flavour: "ollama",
      scenario: { models, turns: [turns.say("ok", { usage: { inputTokens: 11_300, outputTokens: 2 } })] },
    });
    const end = endEvent(await talk(connect(server.url, realClock, "ollama"), { contextWindow: 4_096 }));
    expect(end.usage?.inputTokens).toBeLessThanOrEqual(4_096);
    await server.close();
  });
});

describe("a busy server", () => {
  it.each([
    ["llamacpp", 503, { error: { code: 503, message: "no slot available", type: "unavailable_error" } }],
    ["ollama", 503, { error: "server busy, please try again.  maximum pending requests exceeded" }],
  ])("is tried again for a minute: %s", async (id, status, body) => {
    let asked = 0;
    const url = await serve((_request, response) => {
      asked += 1;
      response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));
    });
    const events = await talk(connectRetrying(id === "ollama" ? url : `${url}/v1`, id));
    expect(failedEvent(events).failure.message).not.toContain("loaded");
    expect(asked).toBe(12);
    expect(delays(events).reduce((sum, each) => sum + each, 0)).toBeGreaterThan(60_000);
  });
});
