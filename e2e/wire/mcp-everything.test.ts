// The reference server of the protocol, as a real process: a tool with progress, a question, a picture, a prompt, a resource.
import { mkdirSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import type { HarnessClient } from "@harness/client";
import { turns } from "@harness/testkit";
import { afterAll, beforeAll, expect, it } from "vitest";
import { choose, LiveServer, say } from "../support/live-server.ts";

const packageFile = createRequire(join(import.meta.dirname, "../../packages/mcp/package.json")).resolve(
  "@modelcontextprotocol/server-everything/package.json",
);
const everything = { command: process.execPath, args: [join(packageFile, "../dist/index.js"), "stdio"] };

let live: LiveServer;
let client: HarnessClient;
let sessionId: string;
let last = 0;
const asked: string[] = [];
const END = turns.say("end", { repeat: "always" });

beforeAll(async () => {
  live = await LiveServer.start({ turns: [END] });
  for (const each of [live.cwd, live.home]) mkdirSync(each);
  writeFileSync(join(live.home, "mcp.json"), JSON.stringify({ mcpServers: { everything } }));
  writeFileSync(join(live.home, "settings.json"), JSON.stringify({ mcp_wait_ms: 60_000, context_limit: 128_000 }));
  const connected = await live.connect(choose("allow_once"), {}, async ({ message, options }) => {
    asked.push(message);
    const [first] = options;
    return first ? { action: "accept", optionId: first.optionId } : { action: "accept", text: "Ada" };
  });
  client = connected.client;
  ({ sessionId } = (await client.call("session/new", { cwd: live.cwd })).session);
});
afterAll(() => live.close());

/** Lets the model make one call, and returns its result. */
async function calling(name: string, args: Record<string, unknown>) {
  live.model.setScenario({ turns: [turns.call(`mcp__everything__${name}`, args), END] });
  await prompt("go");
  return live.updates
    .flatMap(({ update }) => (update.sessionUpdate === "tool_call_update" && update.outcome ? [update.outcome] : []))
    .at(-1);
}

async function prompt(text: string) {
  await client.call("session/prompt", { sessionId, promptId: `p${last}`, prompt: say(text) });
  last = (await live.idle(last)).seq ?? last;
}

const lastRequest = () => JSON.stringify(live.model.chatRequests.at(-1)?.body);

it("a tool of the reference server answers, and its progress shows", async () => {
  const outcome = await calling("trigger-long-running-operation", { duration: 1, steps: 2 });
  expect(outcome).toMatchObject({ status: "ok" });
  const shown = live.updates
    .map(({ update }) => (update.sessionUpdate === "tool_output_chunk" ? update.text : ""))
    .join("");
  expect(shown).toContain("1/2");
});

it("a picture of the reference server is sent to the model with the result", async () => {
  const outcome = await calling("get-tiny-image", {});
  expect(outcome?.images).toMatchObject([{ type: "image", mimeType: "image/png" }]);
  expect(outcome?.blocks.some(({ type }) => type === "image")).toBe(true);
});

it("structured content of the reference server is there as JSON", async () => {
  const outcome = await calling("get-structured-content", { location: "New York" });
  expect(outcome?.text).toContain("temperature");
});

it("a form of the reference server is asked field by field, with its name", async () => {
  const before = asked.length;
  const outcome = await calling("trigger-elicitation-request", {});
  expect(asked.length - before).toBeGreaterThan(3);
  expect(asked.at(-1)).toContain("The MCP server everything asks: ");
  expect(outcome?.status).toBe("ok");
});

it("a prompt of the reference server is a slash command, whose words the agent gets", async () => {
  const { commands } = await client.call("commands/list", { sessionId });
  const found = commands.find(({ name }) => name === "mcp:everything:args-prompt");
  expect(found).toMatchObject({
    argumentHint: "<city> [state]",
    origin: { kind: "mcp", from: "everything" },
    startsTurn: true,
  });
  live.model.setScenario({ turns: [END] });
  const run = (args: string) => client.call("command/run", { sessionId, name: "mcp:everything:args-prompt", args });
  await expect(run("")).rejects.toMatchObject({ message: expect.stringContaining("needs city") });
  await run('"New York" NY');
  last = (await live.idle(last)).seq ?? last;
  expect(lastRequest()).toContain("New York, NY");
});

it("a resource of the reference server is read for a mention, and an unknown one is refused with a sentence", async () => {
  live.model.setScenario({ turns: [END] });
  const [entry] = (await client.call("mcp/list", { sessionId })).servers;
  const uri = entry?.resources.find(({ mimeType }) => mimeType?.startsWith("text/"))?.uri ?? "";
  await prompt(`What is in @everything:${uri}?`);
  expect(lastRequest()).toContain(`<resource name=`);
  expect(lastRequest()).toContain(uri);
  const unknown = client.call("session/prompt", {
    sessionId,
    promptId: "x",
    prompt: say("@everything:demo://nothing"),
  });
  await expect(unknown).rejects.toMatchObject({ kind: "invalid_params" });
});

it("arguments of a prompt and resources of the reference server are completed, each with what was typed before", async () => {
  const texts = async (asked: { command?: string; typed?: string; mention?: string }) =>
    (await client.call("mcp/complete", { sessionId, ...asked })).items.map(({ text }) => text);
  const command = "mcp:everything:completable-prompt";
  expect(await texts({ command, typed: "S" })).toEqual(["Sales", "Support"]);
  expect(await texts({ command, typed: "department=S" })).toEqual(["department=Sales", "department=Support"]);
  expect(await texts({ command, typed: "Sales D" })).toEqual(["David"]);
  expect(await texts({ command, typed: '"Sales" "D' })).toEqual(["David"]);
  expect(await texts({ command: "mcp:everything:simple-prompt", typed: "x" })).toEqual([]);
  expect(await texts({ mention: "every" })).toEqual(["everything:"]);
  expect(await texts({ mention: "everything:features" })).toEqual([
    "everything:demo://resource/static/document/features.md",
  ]);
  expect(await texts({ mention: "nobody:x" })).toEqual([]);
});

it("a completion starts no server", async () => {
  const apart = join(live.root, "apart");
  mkdirSync(apart);
  const asked = { cwd: apart, command: "mcp:everything:completable-prompt", typed: "S", mention: "every" };
  expect(await client.call("mcp/complete", asked)).toEqual({ items: [] });
  expect((await client.call("mcp/list", { cwd: apart })).servers).toMatchObject([{ state: "off" }]);
});

it("/mcp shows the reference server, what it offers, and starts it again", async () => {
  const run = async (args: string) => (await client.call("command/run", { sessionId, name: "mcp", args })).text;
  expect(await run("")).toMatch(/^everything: ready, \d+ tools, 4 prompts, \d+ resources \(.*mcp\.json\)$/);
  expect(await run("tools everything")).toContain("mcp__everything__echo  ");
  expect(await run("restart everything")).toContain("everything: ready");
  expect(await run("logs everything")).not.toBe("");
  await expect(run("tools nobody")).rejects.toMatchObject({ kind: "invalid_params" });
  expect((await client.call("hud/get", { sessionId })).mcp).toEqual({ ready: 1, total: 1 });
});

it("servers are added to the person's own file and removed from it, and counted from then on", async () => {
  const { path } = await client.call("mcp/add", {
    scope: "user",
    name: "other",
    command: "nowhere-to-be-found",
    args: ["-x"],
  });
  expect(path).toBe(join(live.home, "mcp.json"));
  const other = async () => (await client.call("mcp/list", { sessionId })).servers.find(({ name }) => name === "other");
  expect(await other()).toMatchObject({ state: "off", reach: "nowhere-to-be-found -x" });
  expect(await client.call("mcp/start", { sessionId, name: "other" })).toMatchObject({
    state: "failed",
    problem: expect.stringContaining("nowhere-to-be-found was not found"),
  });
  await client.call("mcp/remove", { scope: "user", name: "other" });
  expect(await other()).toBeUndefined();
  await expect(client.call("mcp/remove", { scope: "user", name: "other" })).rejects.toMatchObject({ kind: "conflict" });
});
