import { createServer, type RequestListener, type Server } from "node:http";
import type { AddressInfo, Socket } from "node:net";
import { KeptConnections } from "@harness/host";
import { endEvent, failedEvent, joinDeltas, talk } from "@harness/testkit";
import { afterEach, describe, expect, it } from "vitest";
import { ManualClock, realClock } from "../../../test/clocks.ts";
import { vendorOf } from "../../../test/vendor-of.ts";
import { locate } from "../../vendors/locate.ts";
import { createWireProvider } from "../create-wire-provider.ts";
import type { Endpoint } from "../endpoint/endpoint.ts";
import { openAiChat } from "../openai/openai-chat.ts";
import { withRetry } from "../retry/retry.ts";

const servers: Server[] = [];

afterEach(() => {
  for (const server of servers.splice(0)) {
    server.close();
    server.closeAllConnections();
  }
});

async function serve(listener: RequestListener): Promise<{ server: Server; endpoint: Endpoint }> {
  const server = createServer(listener);
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const vendor = vendorOf("openai");
  const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`;
  const located = vendor && locate(vendor, { baseUrl, key: "k" });
  if (!located?.ok) throw new Error(baseUrl);
  return { server, endpoint: { ...located.endpoint, connections: new KeptConnections() } };
}

const event = (delta: unknown, finish: string | null = null) =>
  `data: ${JSON.stringify({ choices: [{ index: 0, delta, finish_reason: finish }] })}\n\n`;
const sse = { "content-type": "text/event-stream" };

/** A promise that the test resolves. */
function signalOnce(): { given: Promise<void>; give: () => void } {
  let give: () => void = () => undefined;
  const given = new Promise<void>((resolve) => {
    give = resolve;
  });
  return { given, give };
}

describe("a silent server", () => {
  it("without headers fails after a minute when hosted, after ten when local", async () => {
    const asked = signalOnce();
    const { endpoint } = await serve(() => asked.give());
    for (const [near, tooShortMs, longEnoughMs] of [
      [false, 59_000, 15_000],
      [true, 590_000, 150_000],
    ] as const) {
      const clock = new ManualClock();
      const events = talk(createWireProvider(openAiChat, { ...endpoint, near }, { clock, random: () => 0 }));
      let isOver = false;
      void events.then(() => {
        isOver = true;
      });
      await asked.given;
      await clock.pass(tooShortMs);
      expect(isOver).toBe(false);
      await clock.pass(longEnoughMs);
      const { failure } = failedEvent(await events);
      expect(failure.message).toContain(`did not answer for ${near ? 600 : 60} s`);
    }
  });

  it("ends a stream that stalls, and keeps the received part", async () => {
    const clock = new ManualClock();
    const { endpoint } = await serve((_request, response) => {
      response.writeHead(200, sse);
      response.write(event({ content: "half" }));
    });
    const provider = createWireProvider(openAiChat, { ...endpoint, near: false }, { clock, random: () => 0 });
    const seen: string[] = [];
    for await (const each of provider.stream(
      { model: "m", system: "s", messages: [], tools: [], priority: "turn" },
      new AbortController().signal,
    )) {
      seen.push(each.type);
      if (each.type === "text") void clock.pass(200_000);
      if (each.type === "failed") expect(each).toMatchObject({ retryable: true, parts: [{ text: "half" }] });
    }
    expect(seen).toEqual(["text", "failed"]);
  });

  it("is not waited for when the reply is complete", async () => {
    const clock = new ManualClock();
    const { endpoint } = await serve((_request, response) => {
      response.writeHead(200, sse);
      response.write(event({ content: "all" }));
      response.write(event({}, "stop"));
    });
    const provider = createWireProvider(openAiChat, endpoint, { clock, random: () => 0 });
    const events = talk(provider);
    await clock.asleep();
    const done = events.then(endEvent);
    for (let round = 0; round < 100; round += 1) await clock.pass(500);
    expect(await done).toMatchObject({ stop: "end", parts: [{ text: "all" }] });
  });
});

describe("the connections to servers", () => {
  it("are kept between requests", async () => {
    const sockets = new Set<Socket>();
    const { server, endpoint } = await serve((request, response) => {
      request.resume();
      response.writeHead(200, sse);
      response.end(`${event({ content: "ok" }, "stop")}data: [DONE]\n\n`);
    });
    server.on("connection", (socket) => sockets.add(socket));
    const provider = createWireProvider(openAiChat, endpoint, { clock: realClock, random: () => 0 });
    for (let round = 0; round < 5; round += 1) endEvent(await talk(provider));
    expect(sockets.size).toBe(1);
  });

  it("are replaced silently when the server closed the kept one meanwhile", async () => {
    let requests = 0;
    const { server, endpoint } = await serve((request, response) => {
      request.resume();
      requests += 1;
      if (requests === 2) {
        request.socket.destroy();
        return;
      }
      response.writeHead(200, sse);
      response.end(`${event({ content: "ok" }, "stop")}data: [DONE]\n\n`);
    });
    server.keepAliveTimeout = 0;
    const provider = createWireProvider(openAiChat, endpoint, { clock: realClock, random: () => 0 });
    endEvent(await talk(provider));
    expect((await talk(provider)).map((each) => each.type)).toEqual(["text", "end"]);
    expect(requests).toBe(3);
  });

  it("do not share the key of another vendor, and identify the client", async () => {
    const seen: unknown[] = [];
    const { endpoint } = await serve((request, response) => {
      seen.push(request.headers);
      response.writeHead(200, sse).end(event({ content: "ok" }, "stop"));
    });
    const { key: _key, ...open } = endpoint;
    endEvent(await talk(createWireProvider(openAiChat, endpoint, { clock: realClock, random: () => 0 })));
    endEvent(await talk(createWireProvider(openAiChat, open, { clock: realClock, random: () => 0 })));
    expect(seen[0]).toMatchObject({ authorization: "Bearer k", "user-agent": "harness" });
    expect(seen[1]).not.toHaveProperty("authorization");
    expect(Object.keys(seen[0] as object).some((name) => name.startsWith("x-stainless"))).toBe(false);
  });
});

describe("a response in an unexpected form", () => {
  const play = async (status: number, type: string, body: string) => {
    const { endpoint } = await serve((_request, response) =>
      response.writeHead(status, { "content-type": type }).end(body),
    );
    return talk(
      withRetry(createWireProvider(openAiChat, endpoint, { clock: realClock, random: () => 0 }), {
        clock: realClock,
        random: () => 0,
      }),
    );
  };

  it("is read when it is one whole document", async () => {
    const message = {
      content: "whole",
      tool_calls: [{ id: "a", type: "function", function: { name: "ls", arguments: "{}" } }],
    };
    const body = JSON.stringify(
      { choices: [{ message, finish_reason: "stop" }], usage: { prompt_tokens: 3 } },
      null,
      2,
    );
    expect(endEvent(await play(200, "application/json", body))).toEqual({
      type: "end",
      stop: "tool_calls",
      usage: { inputTokens: 3 },
      parts: [
        { type: "text", text: "whole" },
        { type: "tool_call", toolCallId: "a", name: "ls", input: {} },
      ],
    });
  });

  it.each([
    [
      "an error with status 200",
      "application/json",
      '{"error":"Unexpected endpoint or method. (POST /x)"}',
      "Unexpected endpoint",
    ],
    ["a web page", "text/html; charset=utf-8", "<html>log in</html>", "answered with a web page"],
  ])("is reported: %s", async (_name, type, body, words) => {
    expect(failedEvent(await play(200, type, body)).failure.message).toContain(words);
  });

  it("is read without a content type too", async () => {
    const { endpoint } = await serve((_request, response) => {
      response.writeHead(200).end(`${event({ content: "bare" }, "stop")}data: [DONE]\n\n`);
    });
    const events = await talk(createWireProvider(openAiChat, endpoint, { clock: realClock, random: () => 0 }));
    expect(joinDeltas(events, "text")).toBe("bare");
  });

  it("may be a switch to another protocol", async () => {
    const { server, endpoint } = await serve(() => undefined);
    server.removeAllListeners("request").on("request", (request) => {
      request.socket.end("HTTP/1.1 101 x\r\nConnection: upgrade\r\nUpgrade: x\r\n\r\n");
    });
    const events = await talk(createWireProvider(openAiChat, endpoint, { clock: realClock, random: () => 0 }));
    expect(failedEvent(events).failure.message).toContain("did not answer with HTTP");
  });

  it("may be a redirect", async () => {
    const { endpoint } = await serve((_request, response) => {
      response.writeHead(307, { location: "https://elsewhere.example/v1" }).end();
    });
    const events = await talk(createWireProvider(openAiChat, endpoint, { clock: realClock, random: () => 0 }));
    expect(failedEvent(events).failure.message).toContain("redirects requests to https://elsewhere.example/v1");
  });
});
