import { afterEach, describe, expect, test } from "vitest";
import { fixture, options, startedPool, type TestPool, testPool } from "../../test/pool.ts";

const open: TestPool[] = [];
afterEach(async () => {
  await Promise.all(open.splice(0).map(({ pool }) => pool.close()));
});

async function started(...args: Parameters<typeof startedPool>): Promise<TestPool> {
  const test = await startedPool(...args);
  open.push(test);
  return test;
}

describe("a pool", () => {
  test("gives a server the trace that a call belongs to, and nothing where there is none", async () => {
    const { pool } = await started(fixture("plain-server.ts"));
    const traceparent = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01";
    const traced = async (more: object) =>
      (await pool.callTool("fixture", "echo", { words: "the trace" }, { ...options(), ...more })).text;
    expect(await traced({ traceparent })).toBe(traceparent);
    expect(await traced({})).toBe("undefined");
  });

  test("lists the tools of all pages of a server of the legacy era in the order of their names, and calls them", async () => {
    const { pool } = await started(fixture("plain-server.ts"));
    const [server] = pool.servers();
    expect(server).toMatchObject({
      name: "fixture",
      state: "ready",
      era: "legacy",
      version: "1.0.0",
      instructions: "Say please.",
    });
    const names = server?.tools.map(({ name }) => name) ?? [];
    expect(names).toHaveLength(12);
    expect(names).toEqual([...names].sort());
    const outcome = await pool.callTool("fixture", "echo", { words: "hello" }, options());
    expect(outcome).toMatchObject({ status: "ok", text: "hello" });
  });

  test("gives the same list for as long as nothing changes, and a new one after a change", async () => {
    const { pool } = await started(fixture("plain-server.ts"));
    const before = pool.servers();
    expect(pool.servers()).toBe(before);
    const changed = new Promise<void>((resolve) => pool.onChanged(({ what }) => what === "lists" && resolve()));
    await pool.callTool("fixture", "change", {}, options());
    await changed;
    expect(pool.servers()).not.toBe(before);
    expect(pool.servers()[0]?.tools.map(({ name }) => name)).toContain("added");
  });

  test("answers a call of a server that it does not know, and of one that is off or not trusted, with a sentence", async () => {
    const { pool } = testPool();
    pool.configure([
      fixture("plain-server.ts", [], { name: "off", enabled: false }),
      fixture("plain-server.ts", [], { name: "strange", trusted: false }),
    ]);
    const say = async (name: string) => (await pool.callTool(name, "echo", {}, options())).text;
    expect(await say("nobody")).toBe("There is no MCP server nobody. There are: off, strange.");
    expect(await say("off")).toBe("The MCP server off is switched off in /mcp.json.");
    expect(await say("strange")).toBe("The MCP server strange comes from /mcp.json, which is not trusted.");
    expect(pool.servers().map(({ state }) => state)).toEqual(["off", "needs-trust"]);
  });
});
