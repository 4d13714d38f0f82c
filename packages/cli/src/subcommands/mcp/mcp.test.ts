// MCP servers on the command line: added, listed, tested, and used in a run.
import { mkdirSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { TestHome } from "../../../test/harness-process.ts";
import { runInProcess } from "../../../test/in-process.ts";

const plain = resolve(import.meta.dirname, "../../../../mcp/test/servers/plain-server.ts");

let place: TestHome;
beforeAll(() => {
  place = new TestHome();
  mkdirSync(place.cwd, { recursive: true });
});
afterAll(() => place?.remove());

const run = (...args: string[]) => runInProcess(place, args);

it("harness mcp list says how to add a server where none is named", async () => {
  const { code, stdout } = await run("mcp", "list");
  expect([code, stdout]).toEqual([0, expect.stringContaining("harness mcp add NAME -- COMMAND")]);
});

it("harness mcp add, test, logs and rm go the way of a server from its command to its tools", async () => {
  const added = await run("mcp", "add", "plain", "--env", "A=1", "--", process.execPath, plain);
  expect([added.code, added.stdout]).toEqual([
    0,
    expect.stringMatching(/^Added to .+mcp\.json\. Try it: harness mcp test plain\n$/),
  ]);
  expect((await run("mcp", "list")).stdout).toMatch(/^plain +off /m);
  const tested = await run("mcp", "test", "plain");
  expect([tested.code, tested.stdout]).toEqual([0, expect.stringContaining("plain: ready")]);
  expect(tested.stdout).toMatch(/^echo +The tool echo *$/m);
  expect((await run("mcp", "logs", "plain")).stdout).toContain("plain server begins");
  expect((await run("mcp", "rm", "plain")).code).toBe(0);
  const gone = await run("mcp", "test", "plain");
  expect([gone.code, gone.stderr]).toEqual([7, expect.stringContaining("There is no MCP server plain.")]);
});

it("harness mcp add refuses an invalid server", async () => {
  expect(await run("mcp", "add", "x")).toMatchObject({ code: 2, stderr: expect.stringContaining("--url URL") });
  const both = await run("mcp", "add", "x", "--url", "http://a", "--", "y");
  expect(both.code).toBe(2);
  expect((await run("mcp", "add", "x", "--env", "nothing", "--", "y")).stderr).toContain("write NAME=VALUE");
});

it("a server of a project is listed before its folder is trusted", async () => {
  const file = join(place.cwd, ".mcp.json");
  writeFileSync(file, JSON.stringify({ mcpServers: { theirs: { command: "x" } } }));
  const { stdout, stderr } = await run("mcp", "list");
  expect(stdout).toMatch(/^theirs +needs-trust +x /m);
  expect(stderr).toContain("harness trust");
  const tested = await run("mcp", "test", "theirs");
  expect([tested.code, tested.stdout]).toEqual([
    1,
    "theirs: needs-trust\nIt was not started, as this folder is not trusted. harness trust shows what it would run.\n",
  ]);
});
