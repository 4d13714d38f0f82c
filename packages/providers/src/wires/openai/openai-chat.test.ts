import type { ModelMessage } from "@harness/core";
import {
  endEvent,
  type Flavour,
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
import { asList, asRecord } from "../../json/lenient-json.ts";

const servers: ModelServer[] = [];

afterEach(async () => {
  await Promise.all(servers.splice(0).map((server) => server.close()));
});

async function serve(flavour: Flavour, played: TurnInput[]) {
  const server = await startModelServer({ flavour, scenario: { turns: played } });
  servers.push(server);
  const vendor = vendorOf(flavour);
  if (!vendor) throw new Error(flavour);
  const provider = createProvider(vendor, { baseUrl: server.baseUrl, clock: realClock, random: () => 0 });
  const bodies = () => server.chatRequests.map((record) => asRecord(record.body));
  return { server, provider, bodies };
}

const tool = { name: "ls", description: "Lists.", inputSchema: { type: "object", properties: {} } };

describe("a chat completions request", () => {
  it("has system, conversation and tools, and asks for the usage", async () => {
    const { provider, bodies } = await serve("openai", [turns.say("ok")]);
    await talk(provider, { tools: [tool], maxOutputTokens: 100, temperature: 0.2 });
    expect(bodies()[0]).toEqual({
      model: "scripted-model",
      messages: [
        { role: "system", content: "You help." },
        { role: "user", content: "hello" },
      ],
      tools: [{ type: "function", function: { name: "ls", description: "Lists.", parameters: tool.inputSchema } }],
      stream: true,
      stream_options: { include_usage: true },
      max_tokens: 100,
      temperature: 0.2,
    });
  });

  it("is accepted by a strict server with any history", async () => {
    const { server, provider, bodies } = await serve("openai", [turns.say("ok")]);
    const image = { type: "image" as const, mimeType: "image/png", data: "aGk=" };
    const messages: ModelMessage[] = [
      { role: "user", content: [{ type: "text", text: "a\ud800" }, { type: "text", text: "b" }, image] },
      { role: "user", content: [] },
      { role: "assistant", parts: [{ type: "thinking", text: "only thought" }] },
      { role: "assistant", parts: [] },
      {
        role: "assistant",
        parts: [
          { type: "tool_call", toolCallId: "1", name: "Read File!", input: { path: "x\udc00" } },
          { type: "tool_call", toolCallId: "2", name: "", inputText: '{"half":' },
        ],
      },
      { role: "tool", toolCallId: "1", name: "read", text: "see", images: [image], isError: false },
      { role: "tool", toolCallId: "2", name: "", text: "not JSON", isError: true },
    ];
    endEvent(await talk(provider, { messages, system: "" }));
    expect(server.problems).toEqual([]);
    const png = { type: "image_url", image_url: { url: "data:image/png;base64,aGk=" } };
    const call = (id: string, name: string, args: string) => ({
      id,
      type: "function",
      function: { name, arguments: args },
    });
    expect(bodies()[0]?.messages).toEqual([
      { role: "user", content: [{ type: "text", text: "a\uFFFD" }, { type: "text", text: "b" }, png] },
      {
        role: "assistant",
        content: null,
        tool_calls: [call("1", "Read_File_", '{"path":"x\uFFFD"}'), call("2", "unnamed", "{}")],
      },
      { role: "tool", tool_call_id: "1", content: "see" },
      { role: "tool", tool_call_id: "2", content: "not JSON" },
      { role: "user", content: [png] },
    ]);
  });

  it("is a prefix of the next request", async () => {
    const { provider, server } = await serve("openai", [turns.say("ok"), turns.say("ok")]);
    const first = sampleRequest().messages;
    await talk(provider, { messages: first });
    const reply: ModelMessage = { role: "assistant", parts: [{ type: "text", text: "ok" }] };
    await talk(provider, { messages: [...first, reply, ...first] });
    const [one, two] = server.chatRequests.map((record) => JSON.stringify(asRecord(record.body).messages));
    expect(two?.startsWith(one?.slice(0, -1) ?? "?")).toBe(true);
  });

  it.each<[Flavour, string, Record<string, unknown>]>([
    ["openai", "high", { reasoning_effort: "high" }],
    ["openai", "none", { reasoning_effort: "none" }],
    ["openai", "max", { reasoning_effort: "high" }],
    ["openrouter", "max", { reasoning: { effort: "max" } }],
    ["openrouter", "low", { reasoning: { effort: "low" } }],
    ["openrouter", "none", { reasoning: { enabled: false } }],
    ["vllm", "none", { chat_template_kwargs: { enable_thinking: false } }],
    ["lmstudio", "xhigh", { reasoning_effort: "high" }],
    ["llamacpp", "minimal", { chat_template_kwargs: { enable_thinking: true, reasoning_effort: "low" } }],
    ["llamacpp", "high", { chat_template_kwargs: { enable_thinking: true, reasoning_effort: "high" } }],
  ])("says to %s how long to think: %s", async (flavour, effort, fields) => {
    const { provider, bodies } = await serve(flavour, [turns.say("ok")]);
    await talk(provider, { effort });
    expect(bodies()[0]).toMatchObject(fields);
  });

  it("asks each vendor for its optional data", async () => {
    const { provider, bodies } = await serve("openrouter", [turns.say("ok"), turns.say("ok")]);
    await talk(provider, { model: "anthropic/claude-sonnet-4" });
    await talk(provider, { model: "other/model" });
    expect(bodies().map((body) => body.cache_control)).toEqual([{ type: "ephemeral" }, undefined]);
    const llama = await serve("llamacpp", [turns.say("ok")]);
    await talk(llama.provider, { tools: [tool] });
    expect(llama.bodies()[0]?.parallel_tool_calls).toBe(true);
  });

  it("omits fields that a model refuses, from then on", async () => {
    const refuse = (message: string) =>
      turns.fail({ kind: "status", status: 400, body: { error: { message, type: "invalid_request_error" } } });
    const { provider, bodies } = await serve("openai", [
      refuse("Unrecognized request argument supplied: reasoning_effort"),
      refuse("Unsupported value: 'temperature' does not support 0.2 with this model."),
      turns.say("ok"),
      turns.say("again"),
    ]);
    endEvent(await talk(provider, { effort: "high", temperature: 0.2 }));
    endEvent(await talk(provider, { effort: "high", temperature: 0.2 }));
    expect(bodies().map((body) => ["reasoning_effort" in body, "temperature" in body])).toEqual([
      [true, true],
      [false, true],
      [false, false],
      [false, false],
    ]);
  });

  it("is not repeated forever when a server refuses a field that was not sent", async () => {
    const fault = {
      kind: "status",
      status: 400,
      times: "always",
      message: "temperature max_tokens reasoning",
    } as const;
    const { provider, server } = await serve("openai", [turns.fail(fault)]);
    expect(failedEvent(await talk(provider)).failure.kind).toBe("badRequest");
    expect(server.chatRequests).toHaveLength(1);
  });
});

describe("the thinking in chat completions", () => {
  it.each<[Flavour, string, unknown]>([
    ["llamacpp", "reasoning_content", "hm, well"],
    ["openrouter", "reasoning_details", [expect.objectContaining({ type: "reasoning.text", text: "hm, well" })]],
  ])("is sent back to the same model of %s exactly as it came", async (flavour, field, value) => {
    const { provider, bodies } = await serve(flavour, [
      { thinking: "hm, well", text: "yes", chunk: { size: 2 } },
      turns.say("a"),
      turns.say("b"),
      turns.say("c"),
    ]);
    const { parts } = endEvent(await talk(provider));
    const again = { role: "user" as const, content: [{ type: "text" as const, text: "and?" }] };
    const reply = { role: "assistant" as const, parts };
    await talk(provider, { messages: [{ ...reply, provider: flavour, model: "scripted-model" }, again] });
    await talk(provider, { messages: [{ ...reply, provider: "another", model: "scripted-model" }, again] });
    await talk(provider, { messages: [{ ...reply, provider: flavour, model: "another" }, again] });
    const sent = bodies()
      .slice(1)
      .map((body) => asRecord(asList(body.messages)[1]));
    expect(sent[0]).toEqual({ role: "assistant", content: "yes", [field]: value });
    for (const foreign of sent.slice(1)) expect(foreign).toEqual({ role: "assistant", content: "yes" });
  });
});
