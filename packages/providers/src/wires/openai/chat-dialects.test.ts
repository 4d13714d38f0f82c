import type { ModelMessage, ModelRequest } from "@harness/core";
import type { AgentPart } from "@harness/protocol";
import {
  endEvent,
  type Flavour,
  failedEvent,
  joinDeltas,
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
import { asList, asRecord } from "../../json/lenient-json.ts";
import type { Vendor } from "../endpoint/vendor.ts";
import { chatMessages } from "./chat-messages.ts";

const servers: ModelServer[] = [];

afterEach(async () => {
  await Promise.all(servers.splice(0).map((server) => server.close()));
});

async function serve(flavour: Flavour, played: TurnInput[], quirks: Vendor["quirks"] = {}) {
  const server = await startModelServer({ flavour, scenario: { turns: played } });
  servers.push(server);
  const row = vendorOf(flavour);
  if (!row) throw new Error(flavour);
  const vendor = { ...row, quirks: { ...row.quirks, ...quirks } };
  const provider = createProvider(vendor, { baseUrl: server.baseUrl, clock: realClock, random: () => 0 });
  const ask = async (fields: Partial<ModelRequest> = {}) => endEvent(await talk(provider, fields));
  const bodies = () => server.chatRequests.map((record) => asRecord(record.body));
  const messages = () => asList(bodies().at(-1)?.messages).map(asRecord);
  return { server, provider, ask, bodies, messages };
}

const tool = { name: "ls", description: "Lists.", inputSchema: { type: "object", properties: {} } };
const asked = (text: string): ModelMessage => ({ role: "user", content: [{ type: "text", text }] });
const result = (toolCallId: string): ModelMessage => ({
  role: "tool",
  toolCallId,
  name: "ls",
  text: "a b",
  isError: false,
});
const foreign = (toolCallId: string): ModelMessage => ({
  role: "assistant",
  provider: "another",
  model: "other",
  parts: [
    { type: "thinking", text: "their thought", vendorData: { field: "reasoning_content" }, signature: "theirs" },
    { type: "tool_call", toolCallId, name: "ls", input: {}, vendorData: { extra_content: { theirs: 1 } } },
  ],
});
const lsTurn: TurnInput = { thinking: "hm, well", toolCalls: [{ name: "ls", arguments: {} }] };

/** One turn of this vendor with a call, then another request with its result. */
async function turnOf(flavour: Flavour, quirks: Vendor["quirks"] = {}) {
  const talkTo = await serve(flavour, [lsTurn, turns.say("ok"), turns.say("ok")], quirks);
  const { parts } = await talkTo.ask({ tools: [tool] });
  const call = parts.find((part) => part.type === "tool_call");
  const own: ModelMessage = { role: "assistant", parts, provider: flavour, model: "scripted-model" };
  const history = [asked("hello"), own, result(call?.toolCallId ?? "")];
  return { ...talkTo, history, parts, call };
}

describe("the Gemini dialect", () => {
  it("returns signatures of its calls, and a placeholder for calls of others", async () => {
    const standIn = { google: { thought_signature: "skip_thought_signature_validator" } };
    const { ask, history, server, messages } = await turnOf("gemini");
    const model = "scripted-model";
    const parts: AgentPart[] = [
      { type: "tool_call", toolCallId: "text_1", name: "ls", input: {} },
      { type: "tool_call", toolCallId: "text_2", name: "ls", input: {} },
    ];
    const ofText: ModelMessage = { role: "assistant", parts, provider: "gemini", model };
    const others = [foreign("call_1"), result("call_1"), ofText, result("text_1"), result("text_2")];
    await ask({ messages: [...history, ...others], tools: [tool] });
    expect(server.problems).toEqual([]);
    const calls = messages().flatMap((message) => asList(message.tool_calls).map(asRecord));
    expect(calls[0]?.extra_content).toEqual({ google: { thought_signature: expect.any(String) } });
    expect(calls[0]?.extra_content).not.toEqual(standIn);
    expect(calls.slice(1).map((call) => call.extra_content)).toEqual([standIn, standIn, undefined]);
  });

  it("sends no placeholder where no signature is required", () => {
    const vendor = vendorOf("gemini");
    const messages = [asked("a"), foreign("call_1"), result("call_1")];
    const sentTo = (model: string) =>
      JSON.stringify(vendor && chatMessages(sampleRequest({ model, messages }), vendor));
    for (const model of ["gemini-2.5-flash", "models/gemini-2.0-pro"]) expect(sentTo(model)).not.toContain("skip_");
    for (const model of ["gemini-3.5-flash", "gemini-flash-latest"]) expect(sentTo(model)).toContain("skip_");
  });

  it("marks thinking, which is requested unless it is off", async () => {
    const { ask, provider, bodies } = await serve("gemini", [
      { thinking: "hm, well", text: "yes", chunk: { size: 3 } },
      turns.say("no"),
    ]);
    const events = await talk(provider);
    expect([joinDeltas(events, "thinking"), joinDeltas(events, "text")]).toEqual(["hm, well", "yes"]);
    await ask({ effort: "none" });
    expect(bodies().map((body) => [body.extra_body !== undefined, body.reasoning_effort])).toEqual([
      [true, undefined],
      [false, "none"],
    ]);
  });

  it("reads an error in a list", async () => {
    const { provider } = await serve("gemini", [turns.fail({ kind: "status", status: 403, times: "always" })]);
    const { failure } = failedEvent(await talk(provider));
    expect(failure.kind).toBe("auth");
    expect(failure.message).not.toContain("[{");
  });
});

describe("the DeepSeek dialect", () => {
  it("returns thinking only in turns with calls, and there in every reply", async () => {
    const { ask, history, server, messages } = await turnOf("deepseek");
    const said = (text: string): ModelMessage => ({
      role: "assistant",
      provider: "deepseek",
      model: "scripted-model",
      parts: [
        { type: "thinking", text: `thought ${text}`, vendorData: { field: "reasoning_content" } },
        { type: "text", text },
      ],
    });
    const all = [...history, said("done"), asked("hi"), said("hello"), asked("more"), foreign("c"), result("c")];
    await ask({ messages: all, tools: [tool] });
    expect(server.problems).toEqual([]);
    const replies = messages().filter(({ role }) => role === "assistant");
    expect(replies.map((reply) => reply.reasoning_content)).toEqual(["hm, well", "thought done", undefined, ""]);
  });

  it("counts cached tokens of the prompt", async () => {
    const usage = { inputTokens: 120, outputTokens: 45, cachedTokens: 100, cacheWriteTokens: 0, reasoningTokens: 7 };
    const { ask } = await serve("deepseek", [{ text: "ok", usage }]);
    expect((await ask()).usage).toMatchObject({ inputTokens: 120, cacheReadTokens: 100 });
  });
});

describe("the Mistral dialect", () => {
  it("sends ids, an order of messages and thinking in its own form", async () => {
    const { ask, history, server, messages, call } = await turnOf("mistral");
    const image: ModelMessage = {
      role: "tool",
      toolCallId: "call_1",
      name: "ls",
      text: "see",
      images: [{ type: "image", mimeType: "image/png", data: "aGk=" }],
      isError: false,
    };
    await ask({ messages: [...history, asked("more"), foreign("call_1"), image], tools: [tool] });
    expect(server.problems).toEqual([]);
    expect(messages().map(({ role }) => role)).toEqual([
      ...["system", "user", "assistant", "tool", "assistant", "user", "assistant", "tool", "assistant", "user"],
    ]);
    const [own, , others] = messages().filter(({ role }) => role === "assistant");
    expect(own?.content).toEqual([{ type: "thinking", thinking: [{ type: "text", text: "hm, well" }] }]);
    expect(asRecord(asList(own?.tool_calls)[0]).id).toBe(call?.toolCallId);
    const mapped = asRecord(asList(others?.tool_calls)[0]).id;
    expect(mapped).toMatch(/^[a-zA-Z0-9]{9}$/);
    expect(messages().find((message) => message.content === "see")?.tool_call_id).toBe(mapped);
    await ask({ messages: [asked("x"), foreign("call_1"), result("call_1")] });
    expect(messages().at(-1)?.tool_call_id).toBe(mapped);
  });

  it("requests no counts, and receives them", async () => {
    const { ask, bodies } = await serve("mistral", [turns.say("ok")]);
    expect((await ask()).usage).toMatchObject({ inputTokens: expect.any(Number) });
    expect(bodies()[0]).not.toHaveProperty("stream_options");
  });
});

describe("the Groq dialect", () => {
  it("requests separate thinking, does not return it, and counts in its own place", async () => {
    const { ask, history, bodies, messages, parts } = await turnOf("groq");
    expect(parts[0]).toMatchObject({ type: "thinking", text: "hm, well" });
    const { usage } = await ask({ messages: history, tools: [tool] });
    expect(usage).toMatchObject({ inputTokens: expect.any(Number) });
    expect(bodies()[0]?.reasoning_format).toBe("parsed");
    expect(Object.keys(messages()[2] ?? {})).toEqual(["role", "content", "tool_calls"]);
  });
});

describe("the llama.cpp dialect", () => {
  it("reserves a slot for a lane, and reports the progress of the prompt", async () => {
    const { provider, bodies } = await serve("llamacpp", [turns.say("ok")]);
    const events = await talk(provider, { slot: 2, responseSchema: { type: "object" } });
    expect(bodies()[0]).toMatchObject({
      cache_prompt: true,
      return_progress: true,
      id_slot: 2,
      json_schema: { type: "object" },
    });
    const [first] = events;
    expect(first).toMatchObject({ type: "status", phase: "prefill", totalTokens: expect.any(Number) });
    const begun = events.findIndex((event) => event.type === "text");
    expect(events.slice(begun).some((event) => event.type === "status")).toBe(false);
  });
});

describe("the fields of a vendor's row", () => {
  const schema = { type: "object" };
  const format = { response_format: { type: "json_schema", json_schema: { name: "answer", schema } } };
  const thinking = { type: "enabled", clear_thinking: false };

  it.each<[Flavour, Partial<ModelRequest>, Record<string, unknown>]>([
    ["vllm", { responseSchema: schema }, format],
    ["lmstudio", { responseSchema: schema }, format],
    ["fireworks", { responseSchema: schema, effort: "low" }, { ...format, reasoning_effort: "low" }],
    ["xai", { responseSchema: schema }, format],
    ["deepseek", { effort: "high" }, { thinking: { type: "enabled" }, reasoning_effort: "high" }],
    ["deepseek", { effort: "medium" }, { thinking: { type: "enabled" }, reasoning_effort: "high" }],
    ["deepseek", { effort: "max" }, { thinking: { type: "enabled" }, reasoning_effort: "max" }],
    ["gemini", { effort: "xhigh" }, { reasoning_effort: "high" }],
    ["gemini", { effort: "minimal" }, { reasoning_effort: "minimal" }],
    ["fireworks", { effort: "minimal" }, { reasoning_effort: "low" }],
    ["deepseek", { effort: "none" }, { thinking: { type: "disabled" } }],
    ["zai", {}, { tool_stream: true, thinking }],
    ["zai", { effort: "max" }, { thinking, reasoning_effort: "max" }],
    ["zai", { effort: "none" }, { tool_stream: true, thinking: { type: "disabled" } }],
  ])("for %s are sent as %j", async (flavour, fields, expected) => {
    const { ask, bodies } = await serve(flavour, [turns.say("ok")]);
    await ask(fields);
    expect(bodies()[0]).toMatchObject(expected);
  });

  it.each<Flavour>(["deepseek", "zai"])("exclude a schema: %s", async (flavour) => {
    const { ask, bodies } = await serve(flavour, [turns.say("ok")]);
    await ask({ responseSchema: schema });
    expect(bodies()[0]).not.toHaveProperty("response_format");
  });
});
