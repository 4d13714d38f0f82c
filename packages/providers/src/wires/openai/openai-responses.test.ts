import type { ModelMessage } from "@harness/core";
import {
  endEvent,
  type ModelServer,
  providerContract,
  sampleRequest,
  startModelServer,
  type TurnInput,
  talk,
  turns,
} from "@harness/testkit";
import { afterEach, describe, expect, it } from "vitest";
import { realClock } from "../../../test/clocks.ts";
import { createProvider, providerAt } from "../../../test/create-provider.ts";
import { asList, asRecord } from "../../json/lenient-json.ts";
import { locate } from "../../vendors/locate.ts";
import type { Vendor } from "../endpoint/vendor.ts";
import { openAiResponses } from "./openai-responses.ts";

const servers: ModelServer[] = [];

afterEach(async () => {
  await Promise.all(servers.splice(0).map((server) => server.close()));
});

const vendor: Vendor = {
  id: "openai",
  name: "OpenAI",
  local: false,
  api: "openai-responses",
  catalogue: "openai",
  baseUrl: "https://api.openai.com/v1",
  baseUrlEnv: "OPENAI_BASE_URL",
  keyEnv: "OPENAI_API_KEY",
  models: "`/model` lists what it offers.",
  quirks: { thinkingModels: /^(?!gpt-[34])/ },
};

providerContract({
  flavour: "openai",
  wire: "openai-responses",
  name: vendor.name,
  connect: ({ baseUrl, key }) => createProvider(vendor, { baseUrl, key, clock: realClock, random: () => 0 }),
});

async function serve(played: TurnInput[], row = vendor) {
  const server = await startModelServer({ flavour: "openai", scenario: { turns: played } });
  servers.push(server);
  const options = { baseUrl: server.baseUrl, key: "sk-1234567890", clock: realClock, random: () => 0 };
  const provider = createProvider(row, options);
  const bodies = () => server.chatRequests.map((record) => asRecord(record.body));
  return { server, provider, bodies };
}

const tool = { name: "ls", description: "Lists.", inputSchema: { type: "object", properties: {} } };
const asked: ModelMessage = { role: "user", content: [{ type: "text", text: "and?" }] };

describe("a responses request", () => {
  it("has instructions, conversation and tools, and asks for no storage", async () => {
    const { provider, bodies, server } = await serve([turns.say("ok")]);
    const schema = { type: "object", properties: { a: { type: "string" } } };
    await talk(provider, {
      tools: [tool],
      maxOutputTokens: 4,
      temperature: 0.2,
      effort: "high",
      lane: "s/a",
      responseSchema: schema,
    });
    expect(bodies()[0]).toEqual({
      model: "scripted-model",
      instructions: "You help.",
      input: [{ type: "message", role: "user", content: [{ type: "input_text", text: "hello" }] }],
      tools: [{ type: "function", name: "ls", description: "Lists.", parameters: tool.inputSchema, strict: false }],
      parallel_tool_calls: true,
      stream: true,
      store: false,
      include: ["reasoning.encrypted_content"],
      reasoning: { effort: "high", summary: "auto" },
      prompt_cache_key: "s/a",
      max_output_tokens: 16,
      temperature: 0.2,
      text: { format: { type: "json_schema", name: "answer", schema, strict: false } },
    });
    expect(server.problems).toEqual([]);
  });

  it("is accepted by a strict server with any history", async () => {
    const { server, provider, bodies } = await serve([turns.say("ok")]);
    const image = { type: "image" as const, mimeType: "image/png", data: "aGk=" };
    const messages: ModelMessage[] = [
      { role: "user", content: [{ type: "text", text: "a\ud800" }, image] },
      { role: "user", content: [] },
      {
        role: "assistant",
        parts: [{ type: "thinking", text: "only thought", vendorData: { reasoning: { id: "rs_1" } } }],
      },
      { role: "assistant", parts: [] },
      {
        role: "assistant",
        parts: [
          { type: "text", text: "I look" },
          { type: "tool_call", toolCallId: "1", name: "Read File!", input: { path: "x\udc00" } },
          { type: "text", text: "" },
          { type: "tool_call", toolCallId: "2", name: "", inputText: '{"half":' },
        ],
      },
      { role: "tool", toolCallId: "1", name: "read", text: "see", images: [image], isError: false },
      { role: "tool", toolCallId: "2", name: "", text: "", isError: true },
    ];
    endEvent(await talk(provider, { messages, system: "" }));
    expect(server.problems).toEqual([]);
    const png = { type: "input_image", image_url: "data:image/png;base64,aGk=", detail: "auto" };
    expect(bodies()[0]?.instructions).toBeUndefined();
    expect(bodies()[0]?.input).toEqual([
      { type: "message", role: "user", content: [{ type: "input_text", text: "a\uFFFD" }, png] },
      { type: "message", role: "assistant", content: [{ type: "output_text", text: "I look" }] },
      { type: "function_call", call_id: "1", name: "Read_File_", arguments: '{"path":"x\uFFFD"}' },
      { type: "function_call", call_id: "2", name: "unnamed", arguments: "{}" },
      { type: "function_call_output", call_id: "1", output: [{ type: "input_text", text: "see" }, png] },
      { type: "function_call_output", call_id: "2", output: "" },
    ]);
  });

  it.each<[string, string | undefined, unknown, unknown]>([
    ["gpt-5.5", undefined, { summary: "auto" }, ["reasoning.encrypted_content"]],
    ["gpt-5.5", "none", { effort: "none" }, ["reasoning.encrypted_content"]],
    ["gpt-5.5", "max", { effort: "xhigh", summary: "auto" }, ["reasoning.encrypted_content"]],
    ["gpt-4.1", undefined, undefined, undefined],
    ["gpt-4.1", "low", { effort: "low", summary: "auto" }, ["reasoning.encrypted_content"]],
  ])("asks %s to think (%s)", async (model, effort, reasoning, include) => {
    const { provider, bodies } = await serve([turns.say("ok")]);
    await talk(provider, { model, ...(effort && { effort }) });
    expect(bodies()[0]?.reasoning).toEqual(reasoning);
    expect(bodies()[0]?.include).toEqual(include);
  });

  it.each<["auto" | "concise" | "detailed" | "none", unknown]>([
    ["detailed", { effort: "low", summary: "detailed" }],
    ["none", { effort: "low" }],
  ])("asks for the summary of thoughts that the person wants: %s", (reasoningSummary, reasoning) => {
    const located = locate(vendor, {});
    if (!located.ok) throw new Error("openai");
    const body = openAiResponses.body({ ...sampleRequest(), effort: "low" }, { ...located.endpoint, reasoningSummary });
    expect(body.reasoning).toEqual(reasoning);
  });

  it("omits fields that a model refuses, one by one, from then on", async () => {
    const refuse = (message: string, param: string) =>
      turns.fail({ kind: "status", status: 400, body: { error: { message, param, type: "invalid_request_error" } } });
    const { provider, bodies } = await serve([
      refuse("Your organization must be verified to generate reasoning summaries.", "reasoning.summary"),
      refuse("Encrypted content is not supported with this model.", "include"),
      refuse("Unsupported parameter: 'reasoning.effort' is not supported with this model.", "reasoning.effort"),
      turns.say("ok"),
      turns.say("again"),
    ]);
    endEvent(await talk(provider, { effort: "high" }));
    endEvent(await talk(provider, { effort: "high" }));
    expect(bodies().map(({ reasoning, include }) => [reasoning, include !== undefined])).toEqual([
      [{ effort: "high", summary: "auto" }, true],
      [{ effort: "high" }, true],
      [{ effort: "high" }, false],
      [undefined, false],
      [undefined, false],
    ]);
  });

  it("goes to the address of the vendor's row, with the account of the login", async () => {
    const server = await startModelServer({ flavour: "chatgpt", scenario: { turns: [turns.say("ok")] } });
    servers.push(server);
    const row: Vendor = {
      ...vendor,
      baseUrl: "https://chatgpt.com/backend-api",
      headers: {},
      quirks: {
        pathElsewhere: "/codex/responses",
        accountHeader: "chatgpt-account-id",
        instructionsRequired: true,
        without: ["max_output_tokens", "temperature"],
      },
    };
    const located = locate(row, { baseUrl: `${server.url}/backend-api` });
    if (!located.ok) throw new Error(located.problem);
    const login = { token: async () => ({ token: "t-1", account: "acc-1" }), renew: async () => false };
    const provider = providerAt({ ...located.endpoint, login }, { clock: realClock, random: () => 0 });
    endEvent(await talk(provider, { system: "", maxOutputTokens: 100, temperature: 0.5 }));
    expect(server.problems).toEqual([]);
    const { headers } = server.chatRequests[0] ?? {};
    expect(headers).toMatchObject({ authorization: "Bearer …", "chatgpt-account-id": "acc-1" });
  });
});

describe("the thinking in responses", () => {
  it("is sent back to the same model only, unchanged, with the item after it", async () => {
    const { server, provider, bodies } = await serve([
      { thinking: "hm, well", text: "I look", toolCalls: [{ name: "ls", arguments: { path: "." } }] },
      turns.say("a"),
      turns.say("b"),
      turns.say("c"),
    ]);
    const { parts, stop } = endEvent(await talk(provider, { tools: [tool] }));
    expect(stop).toBe("tool_calls");
    const call = parts.find((part) => part.type === "tool_call");
    const reply = { role: "assistant" as const, parts };
    const result: ModelMessage = {
      role: "tool",
      toolCallId: call?.toolCallId ?? "",
      name: "ls",
      text: "x",
      isError: false,
    };
    const writers = [
      { provider: "openai", model: "scripted-model" },
      { provider: "another", model: "scripted-model" },
      { provider: "openai", model: "another" },
    ];
    for (const writer of writers) {
      endEvent(await talk(provider, { messages: [asked, { ...reply, ...writer }, result, asked], tools: [tool] }));
    }
    expect(server.problems).toEqual([]);
    const types = bodies().map(({ input }) => asList(input).map((item) => asRecord(item).type));
    const foreign = ["message", "message", "function_call", "function_call_output", "message"];
    expect(types.slice(1)).toEqual([["message", "reasoning", ...foreign.slice(1)], foreign, foreign]);
    const [, thought, , sentCall] = asList(bodies()[1]?.input).map(asRecord);
    expect(thought).toMatchObject({ summary: [{ type: "summary_text", text: "hm, well" }] });
    expect(thought?.encrypted_content).toEqual(expect.any(String));
    expect(sentCall).toMatchObject({ call_id: call?.toolCallId, arguments: '{"path":"."}' });
  });

  it("is not sent without an item after it", async () => {
    const { provider, bodies } = await serve([turns.say("ok")]);
    const parts = [
      { type: "thinking" as const, text: "hm", vendorData: { reasoning: { id: "rs_1", encrypted_content: "x" } } },
    ];
    endEvent(
      await talk(provider, {
        messages: [asked, { role: "assistant", parts, provider: "openai", model: "scripted-model" }, asked],
      }),
    );
    expect(asList(bodies()[0]?.input)).toHaveLength(2);
  });
});
