// A model server on this machine that goes away and comes back, at the same port.
import { createServer, type RequestListener, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { KeptConnections, sendHttp } from "@harness/host";
import { endEvent, failedEvent, joinDeltas, sampleRequest } from "@harness/testkit";
import { afterEach, expect, it } from "vitest";
import { InstantClock, ManualClock } from "../test/clocks.ts";
import { vendorOf } from "../test/vendor-of.ts";
import { locate } from "./vendors/locate.ts";
import { createWireProvider } from "./wires/create-wire-provider.ts";
import { openAiChat } from "./wires/openai/openai-chat.ts";
import { withRetry } from "./wires/retry/retry.ts";
import type { WireEvent } from "./wires/wire-api.ts";

let server: Server | undefined;
afterEach(() => stop());

async function start(listener: RequestListener, port = 0): Promise<number> {
  server = createServer(listener);
  await new Promise<void>((resolve) => server?.listen(port, "127.0.0.1", resolve));
  return (server.address() as AddressInfo).port;
}

async function stop(): Promise<void> {
  const gone = server;
  server = undefined;
  if (!gone?.listening) return;
  await new Promise((resolve) => {
    gone.close(resolve);
    gone.closeAllConnections();
  });
}

const chunk = (content: string, finish: string | null = null) =>
  `data: ${JSON.stringify({ choices: [{ index: 0, delta: { content }, finish_reason: finish }] })}\n\n`;
const answer: RequestListener = (_request, response) => {
  response.writeHead(200, { "content-type": "text/event-stream" });
  response.end(`${chunk("Here.", "stop")}data: [DONE]\n\n`);
};

/** A provider whose waits are over at once, and that never finds a server silent. */
function connect(port: number, connections?: KeptConnections) {
  const id = "llamacpp";
  const vendor = vendorOf(id);
  const located = vendor && locate(vendor, { baseUrl: `http://127.0.0.1:${port}/v1`, key: "sk-secret-key" });
  if (!located?.ok) throw new Error(id);
  const endpoint = { ...located.endpoint, ...(connections && { connections }) };
  const random = () => 1;
  const wire = createWireProvider(openAiChat, endpoint, { clock: new ManualClock(), random });
  return withRetry(wire, { clock: new InstantClock("2026-11-27T12:00:00Z"), random });
}

/** All events; `onWait` runs at the first sign of a wait, and at each after it. */
async function heard(provider: ReturnType<typeof connect>, onWait: (count: number) => unknown = () => undefined) {
  const events: WireEvent[] = [];
  let waits = 0;
  for await (const event of provider.stream(sampleRequest({}), new AbortController().signal)) {
    events.push(event);
    if (event.type === "status" && event.phase === "reconnecting") await onWait(++waits);
  }
  return { events, waits };
}

it.each<[string, RequestListener]>([
  [
    "in the middle of a reply",
    (_request, response) => void response.writeHead(200, { "content-type": "text/event-stream" }).write(chunk("He")),
  ],
  ["before it answers", () => undefined],
])("is waited for when it goes %s", async (_, first) => {
  const begun = Promise.withResolvers<void>();
  const port = await start((...exchange) => {
    first(...exchange);
    begun.resolve();
  });
  const hearing = heard(connect(port), (count) => count === 3 && start(answer, port));
  await begun.promise;
  await stop();
  const { events, waits } = await hearing;
  expect(endEvent(events).parts).toEqual([{ type: "text", text: "Here." }]);
  expect(joinDeltas(events, "text")).toBe("Here.");
  expect(waits).toBeGreaterThanOrEqual(3);
});

it("is waited for when it goes between two requests", async () => {
  const port = await start(answer);
  const provider = connect(port);
  endEvent((await heard(provider)).events);
  await stop();
  const { events } = await heard(provider, (count) => count === 2 && start(answer, port));
  expect(endEvent(events).parts).toEqual([{ type: "text", text: "Here." }]);
});

it("is waited for when it goes while a first request is on a connection that was kept", async () => {
  const begun = Promise.withResolvers<void>();
  const port = await start((incoming, response) => {
    if (incoming.method === "GET") response.end("{}");
    else begun.resolve();
  });
  const kept = new KeptConnections();
  const url = new URL(`http://127.0.0.1:${port}/v1/models`);
  const asked = { url, method: "GET", headers: {}, connection: "near" as const, kept };
  (await sendHttp({ ...asked, signal: new AbortController().signal })).resume();
  const hearing = heard(connect(port, kept), (count) => count === 2 && start(answer, port));
  await begun.promise;
  await stop();
  expect(endEvent((await hearing).events).parts).toEqual([{ type: "text", text: "Here." }]);
  kept.close();
});

it("is waited for when a tunnel before it takes connections and closes them", async () => {
  const port = await start(answer);
  const provider = connect(port);
  endEvent((await heard(provider)).events);
  await stop();
  let closed = 0;
  await start((incoming) => incoming.socket.destroy(), port);
  const { events } = await heard(provider, async (count) => {
    closed = count;
    if (count < 8) return;
    await stop();
    await start(answer, port);
  });
  expect([endEvent(events).parts, closed]).toEqual([[{ type: "text", text: "Here." }], 8]);
});

it("is not waited for where a tunnel before nothing takes connections and closes them", async () => {
  const port = await start((incoming) => incoming.socket.destroy());
  const { events, waits } = await heard(connect(port));
  expect(failedEvent(events).failure.message).toContain("Tried 5 times.");
  expect(waits).toBe(0);
});

it("is reported at once if nobody has ever answered there", async () => {
  const port = await start(answer);
  await stop();
  const { events, waits } = await heard(connect(port));
  expect(failedEvent(events).failure.message).toMatch(
    /is not running: start it with .+, or choose another provider\.$/,
  );
  expect(waits).toBe(0);
});
