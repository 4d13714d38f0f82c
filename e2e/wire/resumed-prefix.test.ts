// A resumed session over the wire: its next request begins with the bytes of the last one, including tools that were
// found.
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type Flavour, startModelServer, turns } from "@harness/testkit";
import { afterEach, expect, it } from "vitest";
import { choose, LiveServer } from "../support/live-server.ts";
import { observeTurn, type Turns } from "../support/observe-turn.ts";

const open: { close(): Promise<void> }[] = [];
afterEach(async () => {
  await Promise.all(open.splice(0).map((each) => each.close()));
});

type Body = { messages: unknown[]; tools: unknown; system?: unknown };
/** Cache markers move from message to message. */
const bare = (value: unknown): string =>
  JSON.stringify(value, (key, each) => (key === "cache_control" ? undefined : each)) ?? "";

it.each([
  ["openai", 8_192],
  ["anthropic", 8_192],
  ["ollama", 8_192],
  ["openai", 32_768],
] as const)("of %s with a context window of %d sends the same bytes", async (flavour: Flavour, limit) => {
  const model = await startModelServer({ flavour, scenario: { turns: [] } });
  const live = await LiveServer.start({ turns: [] });
  open.push(live, model);
  mkdirSync(live.cwd, { recursive: true });
  mkdirSync(live.home, { recursive: true });
  writeFileSync(join(live.home, "settings.json"), JSON.stringify({ context_limit: limit }));
  const environment = { OPENAI_BASE_URL: "", OPENAI_API_KEY: "", ...model.environment, HARNESS_PROVIDER: flavour };
  const { client } = await live.connect(choose("allow_once"), environment);
  const { sessionId } = (await client.call("session/new", { cwd: live.cwd })).session;
  const turn = async (script: Turns) => {
    const { bodies } = await observeTurn({ live, client, servers: [model] }, sessionId, [...script, turns.say("end")]);
    return bodies as Body[];
  };
  const todo = turns.call("todo", { todos: [{ content: "one", status: "in_progress" }] });
  const search = turns.call("tool_search", { query: "list processes" });
  const [before] = (await turn([todo, search, todo])).slice(-1);
  await client.call("session/close", { sessionId });
  await client.call("session/resume", { sessionId });
  const [after] = await turn([]);
  expect(bare([after?.tools, after?.system])).toBe(bare([before?.tools, before?.system]));
  expect(bare(after?.messages.slice(0, before?.messages.length))).toBe(bare(before?.messages));
});
