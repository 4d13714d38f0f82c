import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import type { ModelMessage } from "@harness/core";
import { endOf, failureOf, type ModelServer, startModelServer, type TurnInput, talk, turns } from "@harness/testkit";
import { afterEach, describe, expect, it } from "vitest";
import { createProvider } from "./create-provider.ts";
import { asList, asRecord } from "./loose-json.ts";
import { ollamaChat } from "./ollama.ts";
import { ReplyDraft } from "./reply-draft.ts";
import { realClock } from "./testing/clocks.ts";
import { vendorOf } from "./vendors.ts";

const servers: ModelServer[] = [];

afterEach(async () => {
  await Promise.all(servers.splice(0).map((server) => server.close()));
});

async function serve(played: TurnInput[], models?: { id: string; capabilities?: string[] }[]) {
  const server = await startModelServer({ flavour: "ollama", scenario: { turns: played, ...(models && { models }) } });
  servers.push(server);
  const vendor = vendorOf("ollama");
  if (!vendor) throw new Error("ollama");
  const provider = createProvider(vendor, { baseUrl: server.url, clock: realClock, random: () => 0 });
  return { server, provider, bodies: () => server.chatRequests.map((record) => asRecord(record.body)) };
}

const tool = { name: "ls", description: "Lists.", inputSchema: { type: "object", properties: {} } };

describe("what is sent to Ollama", () => {
  it("asks for the window with every request, and keeps the model in memory", async () => {
    const { provider, bodies } = await serve([turns.say("ok")]);
    await talk(provider, { tools: [tool], windowTokens: 16_384, maxOutputTokens: 9, temperature: 0 });
    expect(bodies()[0]).toEqual({
      model: "scripted-model",
      messages: [
        { role: "system", content: "You help." },
        { role: "user", content: "hello" },
      ],
      tools: [{ type: "function", function: { name: "ls", description: "Lists.", parameters: tool.inputSchema } }],
      stream: true,
      keep_alive: "15m",
      options: { num_ctx: 16_384, num_predict: 9, temperature: 0 },
    });
  });

  it("holds images as base64 lists, calls as objects and results with the tool's name", async () => {
    const { server, provider, bodies } = await serve([turns.say("ok")]);
    const image = { type: "image" as const, mimeType: "image/png", data: "aGk=" };
    const messages: ModelMessage[] = [
      { role: "user", content: [{ type: "text", text: "look" }, image] },
      {
        role: "assistant",
        parts: [
          { type: "tool_call", toolCallId: "1", name: "read", input: { path: "x" } },
          { type: "tool_call", toolCallId: "2", name: "read", inputText: "half" },
        ],
      },
      { role: "tool", toolCallId: "1", name: "read", text: "see", images: [image], isError: false },
      { role: "tool", toolCallId: "2", name: "read", text: "bad", isError: true },
    ];
    endOf(await talk(provider, { messages }));
    expect(server.problems).toEqual([]);
    expect(bodies()[0]?.messages).toEqual([
      { role: "system", content: "You help." },
      { role: "user", content: "look", images: ["aGk="] },
      {
        role: "assistant",
        content: "",
        tool_calls: [
          { id: "1", function: { name: "read", arguments: { path: "x" } } },
          { id: "2", function: { name: "read", arguments: {} } },
        ],
      },
      { role: "tool", content: "see", tool_name: "read", tool_call_id: "1" },
      { role: "tool", content: "bad", tool_name: "read", tool_call_id: "2" },
      { role: "user", content: "", images: ["aGk="] },
    ]);
  });

  it("never holds a file whose path an image pretends to be", async () => {
    const { provider, bodies } = await serve([turns.say("ok")]);
    const path = fileURLToPath(import.meta.url);
    const content = [{ type: "image" as const, mimeType: "image/png", data: path }];
    await talk(provider, { messages: [{ role: "user", content }] });
    expect(JSON.stringify(bodies()[0])).not.toContain(readFileSync(path).toString("base64").slice(0, 40));
    expect(asRecord(asList(bodies()[0]?.messages)[1]).images).toEqual([path]);
  });

  it.each([
    ["off", false],
    ["high", "high"],
    [undefined, undefined],
  ])("says how long to think: %s", async (effort, think) => {
    const { provider, bodies } = await serve([turns.say("ok")]);
    await talk(provider, { ...(effort && { effort }) });
    expect(bodies()[0]?.think).toEqual(think);
  });

  it("does not ask a model to think that cannot", async () => {
    const cannot = turns.fail({ kind: "status", status: 400, body: { error: '"m" does not support thinking' } });
    const { provider, bodies } = await serve([cannot, turns.say("ok"), turns.say("ok")]);
    endOf(await talk(provider, { effort: "high" }));
    endOf(await talk(provider, { effort: "high" }));
    expect(bodies().map((body) => body.think)).toEqual(["high", undefined, undefined]);
  });

  it("gives the model its own thoughts back, and nobody else's", async () => {
    const { provider, bodies } = await serve([{ thinking: "hm", text: "yes" }, turns.say("a"), turns.say("b")]);
    const { parts } = endOf(await talk(provider));
    const reply = { role: "assistant" as const, parts };
    const again: ModelMessage = { role: "user", content: [{ type: "text", text: "and?" }] };
    await talk(provider, { messages: [{ ...reply, provider: "ollama", model: "scripted-model" }, again] });
    await talk(provider, { messages: [{ ...reply, provider: "openai", model: "scripted-model" }, again] });
    expect(
      bodies()
        .slice(1)
        .map((body) => asList(body.messages)[1]),
    ).toEqual([
      { role: "assistant", content: "yes", thinking: "hm" },
      { role: "assistant", content: "yes" },
    ]);
  });
});

describe("what Ollama refuses", () => {
  it("is explained: a model that is not there, and one without tools", async () => {
    const { provider } = await serve([turns.say("ok")], [{ id: "there:latest", capabilities: ["completion"] }]);
    const missing = failureOf(await talk(provider, { model: "gone" })).failure;
    expect(missing).toMatchObject({ kind: "badRequest", message: expect.stringContaining("`ollama pull <model>`") });
    const noTools = failureOf(await talk(provider, { model: "there", tools: [tool] })).failure;
    expect(noTools.message).toContain("cannot use tools");
  });
});

describe("what is read from Ollama", () => {
  const read = (...lines: unknown[]) => {
    const draft = new ReplyDraft({ takenIds: () => new Set(), newId: () => "made" });
    const reader = ollamaChat.reader(draft);
    for (const line of lines) reader.read(line, undefined);
    reader.finish();
    return draft.end();
  };
  const call = (fn: unknown, id?: string) => ({ message: { tool_calls: [{ ...(id && { id }), function: fn }] } });

  it("keeps what comes with a call, and reads arguments that are text", () => {
    const end = read(
      call({ index: 0, name: "ls", arguments: { a: 1 }, thought_signature: "sig" }, "x"),
      call({ index: 0, name: "glob", arguments: '{"b":2}' }),
      call({ name: "bash", arguments: null }, "x"),
      { message: { content: null }, done: true, done_reason: "stop", eval_count: 3 },
    );
    expect(end).toEqual({
      type: "end",
      stop: "tool_calls",
      usage: { outputTokens: 3 },
      parts: [
        { type: "tool_call", toolCallId: "x", name: "ls", input: { a: 1 }, vendorData: { thought_signature: "sig" } },
        { type: "tool_call", toolCallId: "made", name: "glob", input: { b: 2 } },
        expect.objectContaining({ name: "bash", input: {} }),
      ],
    });
  });

  it.each([null, 5, [], { message: 5 }, { message: { tool_calls: [5] } }, { status: "x" }])(
    "is not troubled by %j",
    (line) => {
      expect(read(line, { message: { content: "x" }, done: true }).parts).toMatchObject([{ text: "x" }]);
    },
  );
});
