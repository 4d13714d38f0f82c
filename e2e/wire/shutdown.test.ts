import { once } from "node:events";
import { mkdirSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo, Socket } from "node:net";
import { expect, it } from "vitest";
import { LiveServer } from "../support/live-server.ts";

it("shutdown ends the connections that were kept to servers of models", async () => {
  const sockets: Socket[] = [];
  const vendor = createServer((_, response) =>
    response.writeHead(200, { "content-type": "application/json" }).end('{"data":[{"id":"m"}]}'),
  );
  vendor.keepAliveTimeout = 0;
  vendor.on("connection", (socket) => sockets.push(socket));
  await once(vendor.listen(0, "127.0.0.1"), "listening");
  const live = await LiveServer.start({ turns: [] });
  mkdirSync(live.cwd);
  try {
    const { port } = vendor.address() as AddressInfo;
    const env = { XAI_BASE_URL: `http://127.0.0.1:${port}/v1`, XAI_API_KEY: "key-of-nobody-9876543210" };
    const { client } = await live.connect(undefined, env);
    const { models } = await client.call("models/list", { provider: "xai" });
    expect(models.map(({ model }) => model)).toEqual(["m"]);
    expect(sockets.filter((socket) => !socket.destroyed)).toHaveLength(1);
    const ended = Promise.all(sockets.map((socket) => socket.destroyed || once(socket, "close")));
    await client.call("shutdown", {});
    await ended;
    // The server itself still runs: the connections did not close because it had ended.
    expect(await client.call("shutdown", {})).toBeDefined();
  } finally {
    await live.close();
    vendor.closeAllConnections();
    vendor.close();
  }
});
