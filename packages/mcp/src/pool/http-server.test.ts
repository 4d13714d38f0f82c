import type { Egress } from "@harness/core";
import { afterEach, describe, expect, test } from "vitest";
import { options, startedPool, type TestPool } from "../../test/pool.ts";
import { freePort } from "../../test/servers/http-process.ts";
import { startSessionServer } from "../../test/servers/session-server.ts";
import { guardedFetch } from "../transports/guarded-fetch.ts";

const open: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of open.splice(0).reverse()) await close();
});

async function started(url: string, ports: Parameters<typeof startedPool>[1] = {}): Promise<TestPool> {
  const test = await startedPool({ name: "far", from: "/mcp.json", url }, ports);
  open.push(() => test.pool.close());
  return test;
}

async function sessionServer() {
  const server = await startSessionServer();
  open.push(server.close);
  return server;
}

describe("a server over HTTP", () => {
  test("that has forgotten the session is connected to again, and the call is made all the same", async () => {
    const server = await sessionServer();
    const { pool } = await started(server.url);
    const whoami = async () => (await pool.callTool("far", "whoami", {}, options())).text;
    expect(await whoami()).toBe("s1");
    server.forget();
    expect(await Promise.all([whoami(), whoami()])).toEqual(["s2", "s2"]);
    expect(server.opened()).toBe(2);
  });

  test("that is not there is said to be so, with its address", async () => {
    const port = await freePort();
    const { pool } = await started(`http://127.0.0.1:${port}/mcp`);
    const [view] = pool.servers();
    expect(view?.state).toBe("failed");
    expect(view?.problem).toContain(`127.0.0.1:${port}`);
  });

  test("that is gone fails a call with a sentence", async () => {
    const server = await sessionServer();
    const { pool } = await started(server.url);
    await server.close();
    const outcome = await pool.callTool("far", "whoami", {}, options());
    expect(outcome.status).toBe("error");
    expect(outcome.text).toContain("whoami of the MCP server far failed:");
  });
});

describe("requests of a server", () => {
  const egress = (decide: Egress["leave"]): Egress => ({
    localOnly: true,
    leave: decide,
    barrier: async () => undefined,
  });

  test("leave through the guard, each under the purpose mcp, and none leaves that it refuses", async () => {
    const server = await sessionServer();
    const asked: unknown[] = [];
    const allowed = guardedFetch(
      egress((request) => {
        asked.push(request);
        return {};
      }),
    );
    await started(server.url, { fetch: allowed.fetch });
    allowed.close();
    expect(asked.length).toBeGreaterThan(2);
    expect(asked).toContainEqual({ purpose: "mcp", method: "POST", url: server.url });
    const opened = server.opened();
    const refusing = guardedFetch(egress(() => ({ refused: "harness is in local-only mode." })));
    const { pool } = await started(server.url, { fetch: refusing.fetch });
    expect(pool.servers()[0]).toMatchObject({ state: "failed" });
    expect(pool.servers()[0]?.problem).toContain("harness is in local-only mode.");
    expect(server.opened()).toBe(opened);
  });

  test("go to no address that the guard refuses once it is known", async () => {
    const server = await sessionServer();
    const judging = guardedFetch(egress(() => ({ judge: (address) => `${address} is not on this machine.` })));
    const { pool } = await started(server.url.replace("127.0.0.1", "localhost"), { fetch: judging.fetch });
    expect(pool.servers()[0]?.problem).toContain("is not on this machine.");
    expect(server.opened()).toBe(0);
  });
});
