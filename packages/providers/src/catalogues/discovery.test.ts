import { createServer, type Server, type ServerResponse } from "node:http";
import { type AddressInfo, createServer as createSocketServer } from "node:net";
import { afterEach, describe, expect, it } from "vitest";
import { ManualClock } from "../../test/clocks.ts";
import { vendorOf } from "../../test/vendor-of.ts";
import { locate } from "../vendors/locate.ts";
import type { Endpoint } from "../wires/endpoint/endpoint.ts";
import { ModelLists } from "./model-lists.ts";

const servers: { close(): unknown }[] = [];
afterEach(() => {
  for (const server of servers.splice(0)) server.close();
});

/** A local server on its vendor's default port, which nobody configured. */
function onOwnPort(port: number): Endpoint {
  const vendor = vendorOf("vllm");
  const located = vendor && locate({ ...vendor, baseUrl: `http://127.0.0.1:${port}/v1` }, {});
  if (!located?.ok) throw new Error("vllm");
  return located.endpoint;
}

async function listening(server: Server | ReturnType<typeof createSocketServer>): Promise<number> {
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return (server.address() as AddressInfo).port;
}

describe("a local server that nobody chose", () => {
  it("is waited for once it has accepted the connection, and shown as waiting meanwhile", async () => {
    const asked = Promise.withResolvers<ServerResponse>();
    const port = await listening(createServer((_request, response) => asked.resolve(response)));
    const clock = new ManualClock();
    const shown: string[][] = [];
    const lists = new ModelLists(clock, (waiting) => shown.push(waiting.map(({ vendor }) => vendor.id)));
    const report = lists.report(onOwnPort(port));
    const response = await asked.promise;
    await clock.pass(2_999);
    expect(shown).toEqual([["vllm"]]);
    response.setHeader("content-type", "application/json").end('{"data":[{"id":"slow"}]}');
    expect(await report).toMatchObject({ reachable: true, models: [{ id: "slow" }] });
    expect(shown).toEqual([["vllm"], []]);
  });

  it("is given up after three seconds in which it said nothing", async () => {
    const asked = Promise.withResolvers<void>();
    const port = await listening(createServer(() => asked.resolve()));
    const clock = new ManualClock();
    const report = new ModelLists(clock).report(onOwnPort(port));
    await asked.promise;
    await clock.pass(3_000);
    expect(await report).toMatchObject({
      reachable: false,
      problem: expect.stringContaining("accepted the request but did not answer for 3 s."),
    });
  });

  it("is over at once when its port refuses, and never shown as waiting", async () => {
    const free = createSocketServer();
    const port = await listening(free);
    await new Promise((resolve) => free.close(resolve));
    servers.splice(0);
    const shown: unknown[] = [];
    const report = await new ModelLists(new ManualClock(), (waiting) => shown.push(waiting)).report(onOwnPort(port));
    expect(report).toMatchObject({ reachable: false, problem: expect.stringContaining("is not running") });
    expect(shown).toEqual([]);
  });
});
