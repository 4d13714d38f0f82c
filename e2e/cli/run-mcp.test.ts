// MCP servers given to a run in addition to the files' servers, or in place of them.
import { mkdirSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { type ModelServer, startModelServer, turns } from "@harness/testkit";
import { afterAll, beforeAll, expect, it } from "vitest";
import { linesOf, TestHome } from "../../packages/cli/test/harness-process.ts";

const plain = resolve(import.meta.dirname, "../../packages/mcp/test/servers/plain-server.ts");

let server: ModelServer;
let place: TestHome;
beforeAll(async () => {
  server = await startModelServer({ scenario: { turns: [] } });
  place = new TestHome(server.environment);
  mkdirSync(place.home, { recursive: true });
  const names = (name: string) =>
    JSON.stringify({ mcpServers: { [name]: { command: process.execPath, args: [plain] } } });
  writeFileSync(join(place.home, "mcp.json"), names("own"));
  writeFileSync(join(place.home, "settings.json"), JSON.stringify({ mcp_wait_ms: 60_000 }));
  writeFileSync(join(place.root, "given.json"), names("given"));
});
afterAll(async () => {
  await server?.close();
  place?.remove();
});

/** A run whose model calls a tool of the given server. */
async function running(...flags: string[]) {
  server.setScenario({
    turns: [turns.call("mcp__given__echo", { words: "from afar" }), turns.say("end", { repeat: "always" })],
  });
  const { code, stdout, stderr } = await place.run(["run", "--json", "--allow", "mcp(given/echo)", ...flags, "go"]);
  const [init] = linesOf(stdout);
  const outcome = linesOf(stdout)
    .flatMap(({ update }) => (update as { outcome?: { status: string; text: string } } | undefined)?.outcome ?? [])
    .at(0);
  const servers = (init?.mcpServers ?? []) as { name: string }[];
  return { code, stderr, outcome, names: servers.map(({ name }) => name).sort() };
}

it("--mcp-config adds the servers of a file to the person's own, and a rule lets their tools run", async () => {
  const ran = await running("--mcp-config", join(place.root, "given.json"));
  expect(ran).toMatchObject({ code: 0, names: ["given", "own"], outcome: { status: "ok" } });
  expect(ran.outcome?.text).toContain("from afar");
});

it("--strict-mcp-config leaves only these, or none", async () => {
  const only = await running("--strict-mcp-config", "--mcp-config", join(place.root, "given.json"));
  expect(only).toMatchObject({ code: 0, names: ["given"], outcome: { status: "ok" } });
  const none = await running("--strict-mcp-config");
  expect(none).toMatchObject({ code: 0, names: [] });
  expect(none.outcome?.status).toBe("unknown_tool");
});

it("a file that is not there ends the run before it begins", async () => {
  const { code, stderr } = await place.run(["run", "--mcp-config", "missing.json", "go"]);
  expect([code, stderr]).toEqual([2, expect.stringContaining("missing.json")]);
});
