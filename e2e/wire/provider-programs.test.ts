// Provider programs in the format of bash harnesses: the payload that hooks assembled on stdin, the raw answer on
// stdout.
import { chmodSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type ModelServer, startModelServer, turns } from "@harness/testkit";
import { afterEach, describe, expect, it } from "vitest";
import { choose, LiveServer, say } from "../support/live-server.ts";

let live: LiveServer;
let model: ModelServer;
afterEach(() => Promise.all([live.close(), model.close()]));

/** Common to all such programs; `call` handles the payload. */
const program = (answers: Record<string, string>, call: string) => `#!${process.execPath}
const answers = ${JSON.stringify({ "--describe": "A bash provider", ...answers })};
const flag = process.argv[2] ?? "";
if (flag in answers) console.log(answers[flag]);
else if (flag !== "--ready") run().catch((error) => { console.error(String(error)); process.exitCode = 1; });
async function run() {
  let text = "";
  for await (const piece of process.stdin) text += piece;
  const { model, system, messages, tools } = JSON.parse(text);
  ${call}
}
async function post(url, headers, body) {
  const response = await fetch(url, { method: "POST", headers: { "content-type": "application/json", ...headers }, body: JSON.stringify(body) });
  const lines = (await response.text()).split("\\n").filter((line) => line.startsWith("data: {"));
  return lines.map((line) => JSON.parse(line.slice(6)));
}
`;

/** Joins the stream into one reply, as bash harnesses do for their hooks. */
const openai = program(
  { "--defaults": "model=gpt-4o", "--env": "OPENAI_API_KEY  key\nOPENAI_API_URL  endpoint" },
  `const all = [...(system ? [{ role: "system", content: system }] : []), ...messages];
  const functions = tools.map(({ name, description, input_schema }) => ({ type: "function", function: { name, description, parameters: input_schema } }));
  const chunks = await post(process.env.OPENAI_API_URL, { authorization: "Bearer " + process.env.OPENAI_API_KEY },
    { model, max_tokens: 4096, messages: all, ...(functions.length > 0 && { tools: functions }), stream: flag === "--stream", stream_options: { include_usage: true } });
  let content = "", finish_reason = "";
  const tool_calls = [];
  for (const { choices: [choice] } of chunks) {
    content += choice?.delta?.content ?? "";
    finish_reason = choice?.finish_reason ?? finish_reason;
    for (const piece of choice?.delta?.tool_calls ?? []) {
      tool_calls[piece.index] ??= { id: "", type: "function", function: { name: "", arguments: "" } };
      tool_calls[piece.index].id ||= piece.id;
      tool_calls[piece.index].function.name ||= piece.function.name;
      tool_calls[piece.index].function.arguments += piece.function.arguments ?? "";
    }
  }
  const message = { role: "assistant", ...(content && { content }), ...(tool_calls.length > 0 && { tool_calls }) };
  console.log(JSON.stringify({ object: "chat.completion", choices: [{ index: 0, message, finish_reason }] }, null, 2));`,
);

const anthropic = program(
  { "--defaults": "model=claude-sonnet-4-6", "--env": "ANTHROPIC_API_KEY  key\nANTHROPIC_API_URL  endpoint" },
  `const events = await post(process.env.ANTHROPIC_API_URL, { "x-api-key": process.env.ANTHROPIC_API_KEY, "anthropic-version": "2023-06-01" },
    { model, max_tokens: 8192, system, messages, ...(tools.length > 0 && { tools }), stream: flag === "--stream" });
  const content = [];
  let stop_reason = "";
  for (const event of events) {
    if (event.type === "content_block_start") content[event.index] = { ...event.content_block, json: "" };
    if (event.delta?.type === "text_delta") content[event.index].text += event.delta.text;
    if (event.delta?.type === "input_json_delta") content[event.index].json += event.delta.partial_json;
    stop_reason = event.delta?.stop_reason ?? stop_reason;
  }
  const blocks = content.map(({ json, ...block }) => (block.type === "tool_use" ? { ...block, input: JSON.parse(json || "{}") } : block));
  console.log(JSON.stringify({ model, stop_reason, usage: { input_tokens: 1, output_tokens: 1 }, content: blocks }));`,
);

describe("a provider program of the contract of bash harnesses", () => {
  it.each([
    { name: "openai", provider: "openai", flavour: "openai" as const, path: "/v1/chat/completions", text: openai },
    { name: "anthropic", provider: "anthropic", flavour: "anthropic" as const, path: "/v1/messages", text: anthropic },
    {
      ...{ name: "acme", flavour: "anthropic" as const, path: "/v1/messages" },
      text: anthropic.replaceAll("ANTHROPIC_", "ACME_"),
      provider: "team",
    },
  ])("carries a turn with calls and a second one: $name", async ({ name, flavour, path, text, provider }) => {
    live = await LiveServer.start({ turns: [] });
    model = await startModelServer({
      flavour,
      scenario: {
        turns: [
          turns.call("read", { path: "note.txt" }, { text: "Let me read it." }),
          turns.say("It says hello."),
          turns.say("Still hello."),
        ],
      },
    });
    mkdirSync(live.cwd);
    writeFileSync(join(live.cwd, "note.txt"), "hello\n");
    const folder = join(live.home, "providers");
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, name), text);
    chmodSync(join(folder, name), 0o755);
    const upper = name.toUpperCase();
    const url = `${model.url}${path}`;
    // With a different name the file of that name supplies the values.
    writeFileSync(join(folder, "team.conf"), `protocol=acme\nurl=${url}\nauth_env=TEAM_KEY\n`);
    const env = provider === name ? { [`${upper}_API_URL`]: url, [`${upper}_API_KEY`]: "key" } : { TEAM_KEY: "key" };
    const { client } = await live.connect(choose("allow_once"), env);
    const { session } = await client.call("session/new", { cwd: live.cwd, config: { provider, model: "m" } });
    const { sessionId } = session;
    await client.call("session/prompt", { sessionId, promptId: "p1", prompt: say("What does note.txt say?") });
    await live.idle();
    await client.call("session/prompt", { sessionId, promptId: "p2", prompt: say("Again?") });
    await live.idle(live.lastSeq);
    const texts = live.updates.flatMap(({ update }) =>
      update.sessionUpdate === "agent_message" ? [JSON.stringify(update)] : [],
    );
    expect(texts.join("\n")).toContain("Let me read it.");
    expect(texts.join("\n")).toContain("Still hello.");
    expect(model.problems).toEqual([]);
    expect(JSON.stringify(model.chatRequests[2]?.body)).toContain("hello");
    expect(model.chatRequests).toHaveLength(3);
  });
});
