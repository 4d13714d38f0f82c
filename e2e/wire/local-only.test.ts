// The local-only mode over the real server: local requests work, remote ones are refused with a message, and nothing is
// sent.
import { mkdirSync, writeFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { afterEach, expect, it } from "vitest";
import { LiveServer, say } from "../support/live-server.ts";

let live: LiveServer | undefined;
let site: Server | undefined;
afterEach(async () => {
  await live?.close();
  site?.closeAllConnections();
  site?.close();
  site = undefined;
});

const keys = { ANTHROPIC_API_KEY: "key-of-nobody-0123456789", XAI_API_KEY: "key-of-nobody-9876543210" };
// In a test network: a request to it would hang instead of being refused.
const far = { XAI_BASE_URL: "http://203.0.113.7:9/v1" };

async function open(turns: object[], env: Record<string, string>) {
  live = await LiveServer.start({ turns });
  mkdirSync(live.cwd);
  const { client } = await live.connect(undefined, { ...keys, ...far, ...env });
  return { client, live };
}

it("local-only mode allows a model on this machine, refuses a hosted one with a message, and lists the requests", async () => {
  const { client, live: server } = await open([{ text: "Hello from here." }], { HARNESS_LOCAL_ONLY: "1" });
  const { session } = await client.call("session/new", { cwd: server.cwd });
  const { sessionId } = session;
  await client.call("session/prompt", { sessionId, promptId: "p1", prompt: say("hello") });
  const idle = await server.idle();
  expect(idle.update).toMatchObject({ stopReason: "end_turn" });
  const hud = await client.call("hud/get", { sessionId });
  expect(hud.localOnly).toBe(true);

  const { providers } = await client.call("providers/list", {});
  expect(providers.find(({ id }) => id === "anthropic")).toMatchObject({
    ready: false,
    detail:
      "Not in local-only mode: Anthropic at https://api.anthropic.com/v1 is not on this machine or in a private network.",
  });
  const listed = await client.call("models/list", {});
  expect(listed.models.map(({ provider }) => provider)).not.toContain("anthropic");
  expect(listed.problems.join("\n")).toMatch(/Not in local-only mode: Anthropic[\s\S]*Not in local-only mode: xAI/);

  await client.call("session/set_config_option", { sessionId, config: { provider: "anthropic", model: "claude" } });
  await client.call("session/prompt", { sessionId, promptId: "p2", prompt: say("hello") });
  await server.idle(idle.seq);
  const shown = JSON.stringify(server.updates);
  expect(shown).toMatch(/Not in local-only mode: Anthropic .* Choose a local model, or turn `local_only` off/);

  const list = await client.call("egress/list", {});
  expect(list.localOnly).toBe(true);
  expect(list.total).toBe(list.entries.length);
  expect(list.entries.filter(({ purpose }) => purpose === "model")).toEqual([
    expect.objectContaining({ method: "POST", origin: new URL(server.model.url).origin }),
  ]);
  expect(list.entries.filter(({ origin, refused }) => !origin.includes("127.0.0.1") && refused === undefined)).toEqual(
    [],
  );
  const { text } = await client.call("command/run", { sessionId, name: "egress", args: "" });
  expect(text).toMatch(/model {2}POST http:\/\/127\.0\.0\.1:\d+/);
  expect(text).toMatch(/Local-only mode is on/);
  // One row, however often a host was requested.
  const rows = text
    .split("\n")
    .flatMap((row) => /^\d\d:\d\d:\d\d {2}(.*?)(?: {2}\([\d,]+ times\))?$/.exec(row)?.[1] ?? []);
  expect(rows.length).toBeLessThan(list.entries.length);
  expect(rows).toEqual([...new Set(rows)]);
});

it("the local-only setting applies from the next request on, also in a session with a model", async () => {
  const { client, live: server } = await open([], { HARNESS_PROVIDER: "xai", HARNESS_MODEL: "grok" });
  const { session } = await client.call("session/new", { cwd: server.cwd });
  const hud = await client.call("hud/get", { sessionId: session.sessionId });
  expect(hud).toMatchObject({ provider: "xai" });
  expect(hud).not.toHaveProperty("localOnly");
  mkdirSync(server.home, { recursive: true });
  writeFileSync(join(server.home, "settings.json"), JSON.stringify({ local_only: true }));
  await client.call("session/prompt", { sessionId: session.sessionId, promptId: "p1", prompt: say("hello") });
  await server.idle();
  expect(JSON.stringify(server.updates)).toMatch(
    /Not in local-only mode: xAI at http:\/\/203\.0\.113\.7:9\/v1 is not on this machine/,
  );
  const { entries } = await client.call("egress/list", {});
  expect(entries.filter(({ origin, refused }) => origin.includes("203.0.113.7") && refused === undefined)).toEqual([]);
});

it("a page of this machine is read only where a rule names its host and port", async () => {
  site = createServer((_, response) =>
    response.writeHead(200, { "content-type": "text/html" }).end("<p>The page says <b>hello</b>.</p>"),
  );
  await new Promise<void>((done) => site?.listen(0, "127.0.0.1", done));
  const { port } = site.address() as AddressInfo;
  const fetching = { toolCalls: [{ name: "web_fetch", arguments: { url: `http://127.0.0.1:${port}/x` } }] };
  const { client, live: server } = await open([fetching, { text: "done" }, fetching, { text: "done" }], {
    HARNESS_LOCAL_ONLY: "1",
  });
  const outcome = async (allow: string[]) => {
    const { session } = await client.call("session/new", { cwd: server.cwd, rules: { allow } });
    const { sessionId } = session;
    await client.call("session/prompt", { sessionId, promptId: "p1", prompt: say("fetch") });
    const { update } = await server.until(
      (each) =>
        each.sessionId === sessionId &&
        each.update.sessionUpdate === "tool_call_update" &&
        "outcome" in each.update &&
        each.update.outcome !== undefined,
    );
    return JSON.stringify(update);
  };
  expect(await outcome([`web_fetch(127.0.0.1:${port})`])).toContain("The page says **hello**.");
  expect(await outcome(["web_fetch(127.0.0.1)"])).toMatch(
    /private network, which is reached only where a rule names it/,
  );
});
