import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import type { ModelMessage } from "@harness/core";
import type { AgentPart } from "@harness/protocol";
import {
  endEvent,
  failedEvent,
  type ModelServer,
  sampleRequest,
  startModelServer,
  type TurnInput,
  talk,
  turns,
} from "@harness/testkit";
import { afterEach, describe, expect, it } from "vitest";
import { realClock } from "../../../test/clocks.ts";
import { createProvider } from "../../../test/create-provider.ts";
import { vendorOf } from "../../../test/vendor-of.ts";
import { ollamaCatalogue } from "../../catalogues/ollama-catalogue.ts";
import { asList, asRecord } from "../../json/lenient-json.ts";
import { locate } from "../../vendors/locate.ts";
import { ReplyDraft } from "../reply/reply-draft.ts";
import { ollamaChat } from "./ollama.ts";

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

describe("a request to Ollama", () => {
  it("includes the context window every time, and keeps the model in memory", async () => {
    const { provider, bodies } = await serve([turns.say("ok")]);
    await talk(provider, { tools: [tool], contextWindow: 16_384, maxOutputTokens: 9, temperature: 0 });
    expect(bodies()[0]).toEqual({
      model: "scripted-model",
      messages: [
        { role: "system", content: "You help." },
        { role: "user", content: "hello" },
      ],
      tools: [{ type: "function", function: { name: "ls", description: "Lists.", parameters: tool.inputSchema } }],
      stream: true,
      truncate: false,
      keep_alive: "15m",
      options: { num_ctx: 16_384, num_predict: 9, temperature: 0 },
    });
  });

  it("has images as base64 lists, calls as objects and results with the tool's name", async () => {
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
    endEvent(await talk(provider, { messages }));
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

  it("has no half characters, also in arguments", async () => {
    const { provider, server } = await serve([turns.say("ok")]);
    const input = { "a\ud83d": ["b\udc00", { c: "\\ud800 🎉" }] };
    const parts: AgentPart[] = [{ type: "tool_call", toolCallId: "1", name: "read", input }];
    const result: ModelMessage = { role: "tool", toolCallId: "1", name: "read", text: "x", isError: false };
    endEvent(await talk(provider, { messages: [{ role: "assistant", parts }, result] }));
    const sent = JSON.stringify(server.chatRequests[0]?.body);
    expect(JSON.parse(sent)).toEqual(JSON.parse(sent.toWellFormed()));
    expect(sent).toContain(JSON.stringify({ "a\ufffd": ["b\ufffd", { c: "\\ud800 🎉" }] }));
  });

  it("never has the content of a file whose path is given as an image", async () => {
    const { provider, bodies } = await serve([turns.say("ok")]);
    const path = fileURLToPath(import.meta.url);
    const content = [{ type: "image" as const, mimeType: "image/png", data: path }];
    await talk(provider, { messages: [{ role: "user", content }] });
    expect(JSON.stringify(bodies()[0])).not.toContain(readFileSync(path).toString("base64").slice(0, 40));
    expect(asRecord(asList(bodies()[0]?.messages)[1]).images).toEqual([path]);
  });

  it.each([
    ["none", false],
    ["high", "high"],
    ["minimal", "low"],
    ["max", "high"],
    [undefined, undefined],
  ])("says how long to think: %s", async (effort, think) => {
    const { provider, bodies } = await serve([turns.say("ok")]);
    await talk(provider, { ...(effort && { effort }) });
    expect(bodies()[0]?.think).toEqual(think);
  });

  it("does not ask a model to think that cannot", async () => {
    const cannot = turns.fail({ kind: "status", status: 400, body: { error: '"m" does not support thinking' } });
    const { provider, bodies } = await serve([cannot, turns.say("ok"), turns.say("ok")]);
    endEvent(await talk(provider, { effort: "high" }));
    endEvent(await talk(provider, { effort: "high" }));
    expect(bodies().map((body) => body.think)).toEqual(["high", undefined, undefined]);
  });

  it("asks a model that can only switch thinking on, without a level", async () => {
    const cannot = (error: string) => turns.fail({ kind: "status", status: 400, body: { error } });
    const { provider, bodies } = await serve([
      cannot('think value "high" is not supported for this model'),
      turns.say("ok"),
      turns.say("ok"),
    ]);
    endEvent(await talk(provider, { effort: "high" }));
    endEvent(await talk(provider, { effort: "low" }));
    expect(bodies().map((body) => body.think)).toEqual(["high", true, true]);
    expect(JSON.stringify(bodies())).not.toContain("think_level");
  });

  it("omits fields that an old look-alike does not support", async () => {
    const cannot = turns.fail({ kind: "status", status: 400, body: { error: 'json: unknown field "truncate"' } });
    const { provider, bodies } = await serve([cannot, turns.say("ok")]);
    endEvent(await talk(provider));
    expect(bodies().map((body) => body.truncate)).toEqual([false, undefined]);
  });

  it.each([
    ["2h", "2h"],
    ["-1", -1],
    ["600", 600],
  ])("keeps the model in memory for %s", (keepAlive, sent) => {
    const vendor = vendorOf("ollama");
    const located = vendor && locate(vendor, {});
    if (!located?.ok) throw new Error("ollama");
    const body = ollamaChat.body(sampleRequest(), { ...located.endpoint, keepAlive });
    expect(body.keep_alive).toBe(sent);
  });

  it("constrains the answer to a schema", async () => {
    const { provider, bodies } = await serve([turns.say("{}")]);
    const responseSchema = { type: "object", properties: { a: { type: "string" } } };
    await talk(provider, { responseSchema });
    expect(bodies()[0]?.format).toEqual(responseSchema);
  });

  it("has the thinking of the same model only", async () => {
    const { provider, bodies } = await serve([{ thinking: "hm", text: "yes" }, turns.say("a"), turns.say("b")]);
    const { parts } = endEvent(await talk(provider));
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

describe("a refusal of Ollama", () => {
  it("is explained: a missing model, and one without tools", async () => {
    const { provider } = await serve([turns.say("ok")], [{ id: "there:latest", capabilities: ["completion"] }]);
    const missing = failedEvent(await talk(provider, { model: "gone" }));
    expect(missing).toMatchObject({ failure: { kind: "badRequest" }, refusal: "no_model" });
    expect(missing.failure.message).toContain("`ollama pull <model>`");
    const noTools = failedEvent(await talk(provider, { model: "there", tools: [tool] }));
    expect(noTools).toMatchObject({ failure: { kind: "badRequest" }, refusal: "no_tools" });
    expect(noTools.failure.message).toContain("cannot use tools");
  });

  it.each([
    "the input length exceeds the context length",
    "the prompt is longer than the context length currently available to the model; shorten the prompt",
    '{"error":{"code":400,"message":"request (351 tokens) exceeds the available context size (256 tokens)"}}',
  ])("is an overflow when the prompt was not cut: %s", async (error) => {
    const { provider } = await serve([turns.fail({ kind: "status", status: 400, body: { error } })]);
    expect(failedEvent(await talk(provider)).failure.kind).toBe("overflow");
  });
});

describe("a reply of Ollama", () => {
  const read = (...lines: unknown[]) => {
    const draft = new ReplyDraft({ takenIds: () => new Set(), newId: () => "made" });
    const reader = ollamaChat.reader(draft);
    for (const line of lines) reader.read(line, undefined);
    reader.finish();
    return draft.end();
  };
  const call = (fn: unknown, id?: string) => ({ message: { tool_calls: [{ ...(id && { id }), function: fn }] } });

  it("keeps the extra data of a call, and may have arguments as text", () => {
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
    "is read despite %j",
    (line) => {
      expect(read(line, { message: { content: "x" }, done: true }).parts).toMatchObject([{ text: "x" }]);
    },
  );
});

describe("the counts of Ollama", () => {
  const baseUrl = "http://127.0.0.1:9";
  const count = async (version: string, fields: Record<string, unknown>) => {
    const countsPart = await ollamaCatalogue.countsPart?.(async () => ({ version }));
    const vendor = vendorOf("ollama");
    const located = vendor && locate(vendor, { baseUrl });
    if (!located?.ok) throw new Error("ollama");
    const draft = new ReplyDraft({ takenIds: () => new Set(), newId: () => "made" });
    const reader = ollamaChat.reader(draft, { ...located.endpoint, ...(countsPart && { countsPart }) });
    reader.read({ message: { content: "x" }, done: true, ...fields }, undefined);
    return draft.end().usage;
  };

  it.each<[string, string, Record<string, unknown>, unknown]>([
    ["0.20.3", "all of the prompt", { prompt_eval_count: 900 }, { inputTokens: 900 }],
    ["0.1.30", "only what is new: no count", { prompt_eval_count: 12 }, {}],
    ["0.30.1", "only what is new: no count", { prompt_eval_count: 12 }, {}],
    ["0.33.2", "all of the prompt", { prompt_eval_count: 900 }, { inputTokens: 900 }],
    [
      "0.40.12",
      "all, and what came from the cache",
      { prompt_eval_count: 900, prompt_eval_cached_count: 880 },
      { inputTokens: 900, cacheReadTokens: 880 },
    ],
    ["0.40.12", "nonsense: no count", { prompt_eval_count: 20, prompt_eval_cached_count: 880 }, {}],
    ["0.20.3", "nothing, for a prompt that is known: no count", { prompt_eval_count: 0 }, {}],
    ["0.20.3", "nothing, for a prompt that is known: no field", {}, {}],
    ["", "all, as far as is known", { prompt_eval_count: 5 }, { inputTokens: 5 }],
  ])("are, for version %s, %s", async (version, _what, fields, usage) => {
    expect(await count(version, fields)).toEqual(usage);
  });
});
