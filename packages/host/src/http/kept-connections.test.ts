import { once } from "node:events";
import { createServer, type Server } from "node:http";
import type { AddressInfo, Socket } from "node:net";
import { afterAll, beforeAll, expect, it } from "vitest";
import { KeptConnections } from "./kept-connections.ts";
import { sendHttp } from "./send-http.ts";

let server: Server;
const sockets: Socket[] = [];
beforeAll(async () => {
  server = createServer((_, response) => response.end("ok"));
  server.keepAliveTimeout = 0;
  server.on("connection", (socket) => sockets.push(socket));
  await once(server.listen(0, "127.0.0.1"), "listening");
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
});

async function ask(kept?: KeptConnections): Promise<void> {
  const { port } = server.address() as AddressInfo;
  const response = await sendHttp({
    url: new URL(`http://127.0.0.1:${port}/`),
    method: "GET",
    headers: {},
    signal: new AbortController().signal,
    connection: "near",
    kept,
  });
  for await (const _ of response);
}

/** The connection used by the last request. */
const lastSocket = (): Socket => {
  const socket = sockets.at(-1);
  if (!socket) throw new Error("No request has come.");
  return socket;
};

it("a kept connection serves the next request, and ends when its owner is closed", async () => {
  const kept = new KeptConnections();
  const before = sockets.length;
  await ask(kept);
  await ask(kept);
  expect(sockets.length).toBe(before + 1);
  const ended = once(lastSocket(), "close");
  kept.close();
  await ended;
});

it.each([
  ["without an owner", undefined],
  ["of a closed owner", closedConnections()],
])("a request %s has a connection of its own, which ends with it", async (_, kept) => {
  const before = sockets.length;
  await ask(kept);
  expect(sockets.length).toBe(before + 1);
  const socket = lastSocket();
  if (!socket.destroyed) await once(socket, "close");
});

function closedConnections(): KeptConnections {
  const kept = new KeptConnections();
  kept.close();
  return kept;
}
