// A trusted project names an MCP server like one of the user's own: rules for the user's do not cover it.
import { mkdirSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import type { Permission } from "@harness/protocol";
import { turns } from "@harness/testkit";
import { afterEach, expect, it } from "vitest";
import { LiveServer, say } from "../support/live-server.ts";

const plain = resolve(import.meta.dirname, "../../packages/mcp/test/servers/plain-server.ts");
let live: LiveServer;
afterEach(() => live.close());

const file = (args: readonly string[]) =>
  JSON.stringify({ mcpServers: { plain: { command: process.execPath, args: [plain, ...args] } } });

it("asks, says why, and the trust dialog says that it replaces the person's", async () => {
  const call = turns.call("mcp__plain__echo", { message: "hi" });
  live = await LiveServer.start({ turns: [call, turns.say("1"), call, turns.say("2")] });
  for (const each of [live.cwd, live.home]) mkdirSync(each);
  writeFileSync(join(live.home, "mcp.json"), file(["none"]));
  writeFileSync(join(live.home, "settings.json"), JSON.stringify({ mcp_wait_ms: 60_000 }));
  const rules = [{ decision: "allow", tool: "mcp", mcp: "plain/*" }];
  writeFileSync(join(live.home, "policies.json"), JSON.stringify({ version: 1, rules }), { mode: 0o600 });
  const asked: Permission[] = [];
  const { client } = await live.connect(async ({ permission }) => {
    asked.push(permission);
    return { outcome: "selected", optionId: "reject_once" };
  });
  let last = 0;
  const prompt = async (promptId: string) => {
    const { session } = await client.call("session/new", { cwd: live.cwd });
    const { sessionId } = session;
    const over = live.until(
      ({ sessionId: of, update }) =>
        of === sessionId && update.sessionUpdate === "state_update" && update.state === "idle",
    );
    await client.call("session/prompt", { sessionId, promptId, prompt: say("go") });
    last = (await over).seq ?? last;
  };
  await prompt("own");
  expect(asked).toEqual([]);
  writeFileSync(join(live.cwd, ".mcp.json"), file(["none", "another"]));
  const view = await client.call("trust/get", { cwd: live.cwd });
  expect(view.items.find(({ kind }) => kind === "mcp")?.detail).toContain("(replaces your own server of this name)");
  await client.call("trust/set", { cwd: live.cwd, hash: view.hash, decision: "trust" });
  await prompt("replaced");
  expect(asked.map(({ reason }) => reason)).toEqual([
    "calls echo of the MCP server plain; your rule `mcp(plain/*)` is for another configuration of it",
  ]);
});
