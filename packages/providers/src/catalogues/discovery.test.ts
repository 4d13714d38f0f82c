import { createServer, type Server } from "node:http";
import { type AddressInfo, createServer as createSocketServer } from "node:net";
import { afterEach, describe, expect, it } from "vitest";
import { hurriedClock, ManualClock } from "../../test/clocks.ts";
import { vendorOf } from "../../test/vendor-of.ts";
import { locate } from "../vendors/locate.ts";
import type { Endpoint } from "../wires/endpoint/endpoint.ts";
import { ModelLists } from "./model-lists.ts";

const servers: { close(): unknown }[] = [];
afterEach(() => {
  for (const server of servers.splice(0)) server.close();
});

/** A local server on its vendor's own port, which nobody configured. */
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
    const answers: (() => void)[] = [];
    const port = await listening(
      createServer((_request, response) => {
        answers.push(() => response.setHeader("content-type", "application/json").end('{"data":[{"id":"slow"}]}'));
      }),
    );
    const shown: string[][] = [];
    const lists = new ModelLists(hurriedClock(3), (waiting) => {
      shown.push(waiting.map(({ vendor }) => vendor.id));
      if (waiting.length > 0) for (const answer of answers.splice(0)) answer();
    });
    expect(await lists.report(onOwnPort(port))).toMatchObject({ reachable: true, models: [{ id: "slow" }] });
    expect(shown).toEqual([["vllm"], []]);
  });

  it("is given up after three seconds in which it said nothing", async () => {
    const port = await listening(createServer(() => undefined));
    const report = await new ModelLists(hurriedClock(20)).report(onOwnPort(port));
    expect(report).toMatchObject({
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
