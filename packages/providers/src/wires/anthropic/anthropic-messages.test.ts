import type { ModelMessage, ModelRequest } from "@harness/core";
import type { AgentPart } from "@harness/protocol";
import { sampleRequest } from "@harness/testkit";
import { describe, expect, it } from "vitest";
import { asList, asRecord, asText } from "../../json/lenient-json.ts";
import { locate } from "../../vendors/locate.ts";
import type { Vendor } from "../endpoint/vendor.ts";
import { anthropicMessages } from "./anthropic-messages.ts";

const row: Vendor = {
  id: "anthropic",
  name: "Anthropic",
  local: false,
  api: "anthropic",
  catalogue: "none",
  baseUrl: "https://api.example/v1",
  baseUrlEnv: "A_URL",
  keyEnv: "A_KEY",
  models: "",
  quirks: { thinkingBudgetFor: ["old-"] },
};

function body(fields: Partial<ModelRequest>, vendor: Vendor = row): Record<string, unknown> {
  const located = locate(vendor, {});
  if (!located.ok) throw new Error(located.problem);
  return anthropicMessages.body(sampleRequest({ model: "new-1", ...fields }), located.endpoint);
}

/** A conversation as it is sent, without the cache marks. */
function sent(messages: ModelMessage[], fields: Partial<ModelRequest> = {}): unknown {
  const text = JSON.stringify(body({ messages, effort: "low", ...fields }).messages);
  return JSON.parse(text.replaceAll(',"cache_control":{"type":"ephemeral"}', ""));
}

const says = (text: string): ModelMessage => ({ role: "user", content: [{ type: "text", text }] });
const replies = (...parts: AgentPart[]): ModelMessage => ({
  role: "assistant",
  parts,
  provider: "anthropic",
  model: "new-1",
});
const call = (toolCallId: string, input?: Record<string, unknown>): AgentPart => ({
  type: "tool_call",
  toolCallId,
  name: "ls",
  ...(input ? { input } : { inputText: '{"half' }),
});
const result = (toolCallId: string, text: string, isError = false): ModelMessage => ({
  role: "tool",
  toolCallId,
  name: "ls",
  text,
  isError,
});
const image = { type: "image" as const, mimeType: "image/png", data: "aGk=" };
const png = { type: "image", source: { type: "base64", media_type: "image/png", data: "aGk=" } };
const text = (words: string) => ({ type: "text", text: words });
const thought = { type: "thinking", text: "hm", signature: "sig" } as const;
const tool = { name: "ls", description: "Lists.", inputSchema: { type: "object", properties: {} } };

describe("a request to Anthropic", () => {
  it("holds system, tools and conversation, marked for the cache", () => {
    const cache_control = { type: "ephemeral" };
    const tools = [tool, { ...tool, name: "cat" }];
    const messages = [says("a"), replies({ type: "text", text: "b" }), says("c")];
    expect(body({ tools, messages, maxOutputTokens: 100, temperature: 0.2, model: "old-1" })).toEqual({
      model: "old-1",
      max_tokens: 100,
      system: [{ type: "text", text: "You help.", cache_control }],
      tools: [
        { name: "ls", description: "Lists.", input_schema: { type: "object", properties: {} } },
        { name: "cat", description: "Lists.", input_schema: { type: "object", properties: {} }, cache_control },
      ],
      messages: [
        { role: "user", content: [{ type: "text", text: "a", cache_control }] },
        { role: "assistant", content: [{ type: "text", text: "b" }] },
        { role: "user", content: [{ type: "text", text: "c", cache_control }] },
      ],
      temperature: 0.2,
      stream: true,
    });
  });

  it("never marks more than four places", () => {
    const messages = ["a", "b", "c", "d"].flatMap((each) => [says(each), replies({ type: "text", text: each })]);
    const marks = JSON.stringify(body({ messages, tools: [tool] })).match(/cache_control/g);
    expect(marks).toHaveLength(4);
  });

  it("has no empty fields", () => {
    expect(Object.keys(body({ system: " " }))).toEqual(["model", "max_tokens", "messages", "stream"]);
  });

  it("only grows at its end, apart from the marks", () => {
    const messages = [says("a"), replies(thought, call("1", {})), result("1", "x")];
    const more = [...messages, replies({ type: "text", text: "b" }), says("c")];
    const first = asList(sent(messages));
    expect(asList(sent(more)).slice(0, first.length)).toEqual(first);
  });
});

describe("the messages for Anthropic", () => {
  it("start with all results of the last reply, with their images", () => {
    const messages = [
      says("go"),
      replies({ type: "text", text: "ok" }, call("1", { path: "/" }), call("2")),
      says("wait"),
      { ...result("1", "see"), images: [image] } as ModelMessage,
      result("2", "not JSON", true),
      says("and more"),
    ];
    expect(sent(messages)).toEqual([
      { role: "user", content: [text("go")] },
      {
        role: "assistant",
        content: [
          text("ok"),
          { type: "tool_use", id: "1", name: "ls", input: { path: "/" } },
          { type: "tool_use", id: "2", name: "ls", input: {} },
        ],
      },
      {
        role: "user",
        content: [
          { type: "tool_result", tool_use_id: "1", content: [text("see"), png] },
          { type: "tool_result", tool_use_id: "2", content: [text("not JSON")], is_error: true },
          text("wait"),
          text("and more"),
        ],
      },
    ]);
  });

  it("join neighbours and leave out empty ones", () => {
    const messages: ModelMessage[] = [
      says("a"),
      replies({ type: "text", text: " \n" }),
      { role: "user", content: [] },
      says("b"),
      replies({ type: "text", text: "c" }),
      replies({ type: "text", text: "d" }),
      says("e"),
    ];
    expect(sent(messages)).toEqual([
      { role: "user", content: [text("a"), text("b")] },
      { role: "assistant", content: [text("c"), text("d")] },
      { role: "user", content: [text("e")] },
    ]);
  });

  it("start with a user message in any case", () => {
    const messages = [replies({ type: "text", text: "hello" }, call("1", {})), result("1", "x"), says("go")];
    expect(sent(messages)).toEqual([{ role: "user", content: [text("hello"), text("x"), text("go")] }]);
  });

  it("describe an image of an unsupported kind, and mark no result with an image as an error", () => {
    const bitmap = { ...image, mimeType: "image/bmp" };
    const messages: ModelMessage[] = [
      { role: "user", content: [image, bitmap] },
      replies(call("1", {})),
      { role: "tool", toolCallId: "1", name: "ls", text: "", images: [image], isError: true },
    ];
    const [first, , last] = asList(sent(messages)).map((turn) => asRecord(turn).content);
    expect(first).toEqual([png, text("(An image is left out: this model cannot see image/bmp.)")]);
    expect(last).toEqual([{ type: "tool_result", tool_use_id: "1", content: [png] }]);
  });

  it("have ids of other vendors in an accepted form, the same for call and result", () => {
    const ids = ["functions.ls:0", "functions_ls:0", "ok-1_A", "x".repeat(90)];
    const messages = [says("go"), replies(...ids.map((id) => call(id, {}))), ...ids.map((id) => result(id, id))];
    const [, calls, results] = asList(sent(messages)).map((turn) => asList(asRecord(turn).content).map(asRecord));
    const made = calls?.map(({ id }) => asText(id)) ?? [];
    expect(results?.map((each) => each.tool_use_id)).toEqual(made);
    expect(new Set(made).size).toBe(ids.length);
    expect(made[2]).toBe("ok-1_A");
    for (const id of made) expect(id).toMatch(/^[a-zA-Z0-9_-]{1,64}$/);
  });

  it("declare the tools of the past even if none may be used now", () => {
    const messages = [says("go"), replies(call("1", {})), result("1", "x"), says("sum up")];
    expect(body({ messages })).toMatchObject({
      tools: [{ name: "ls", input_schema: { type: "object" } }],
      tool_choice: { type: "none" },
    });
  });

  it("declare every schema as an object", () => {
    const odd = { ...tool, inputSchema: { anyOf: [{ required: ["a"] }], properties: { a: { anyOf: [] } } } };
    expect(asList(body({ tools: [odd] }).tools)[0]).toMatchObject({
      input_schema: { type: "object", properties: { a: { anyOf: [] } }, required: ["a"] },
    });
  });
});

describe("earlier thinking for Anthropic", () => {
  const sealed = { type: "thinking", text: "", vendorData: { type: "redacted_thinking", data: "Emw=" } } as const;
  const unsigned = { type: "thinking", text: "cut" } as const;
  const foreign = { type: "thinking", text: "x", vendorData: { field: "reasoning_details", details: [] } } as const;

  it("is sent back unchanged and in its place to the same model", () => {
    const messages = [says("go"), replies(thought, call("1", {}), sealed, call("2", {}), unsigned, foreign)];
    expect(asList(sent(messages))[1]).toEqual({
      role: "assistant",
      content: [
        { type: "thinking", thinking: "hm", signature: "sig" },
        { type: "tool_use", id: "1", name: "ls", input: {} },
        { type: "redacted_thinking", data: "Emw=" },
        { type: "tool_use", id: "2", name: "ls", input: {} },
      ],
    });
  });

  it.each<[string, Partial<ModelMessage>, Partial<ModelRequest>]>([
    ["of another vendor", { provider: "claude" }, {}],
    ["of another model", { model: "new-2" }, {}],
    ["when thinking is off", {}, { effort: "none" }],
  ])("is left out %s", (_name, of, fields) => {
    const messages = [
      says("go"),
      { ...replies(thought, { type: "text", text: "so" }), ...of } as ModelMessage,
      says("on"),
    ];
    expect(asList(sent(messages, fields))[1]).toEqual({ role: "assistant", content: [text("so")] });
  });

  it("is never the whole of a reply, or its end", () => {
    const messages = [
      says("go"),
      replies(thought),
      says("on"),
      replies({ type: "text", text: "so" }, thought),
      says("x"),
    ];
    expect(asList(sent(messages)).map((turn) => asList(asRecord(turn).content))).toEqual([
      [text("go"), text("on")],
      [text("so")],
      [text("x")],
    ]);
  });
});

describe("the thinking setting for Anthropic", () => {
  const compatible: Vendor = { ...row, quirks: {}, maxOutputTokens: 4_000 };

  it.each<[string, Partial<ModelRequest>, Vendor, Record<string, unknown>]>([
    ["nothing is said without an effort", {}, row, { max_tokens: 8_192 }],
    ["the row knows the length of a reply", {}, compatible, { max_tokens: 4_000 }],
    [
      "newer models decide for themselves",
      { effort: "high" },
      row,
      {
        max_tokens: 24_576,
        thinking: { type: "adaptive", display: "summarized" },
        output_config: { effort: "high" },
      },
    ],
    [
      "levels of other vendors become the nearest",
      { effort: "minimal" },
      row,
      { max_tokens: 9_216, thinking: { type: "adaptive" }, output_config: { effort: "low" } },
    ],
    [
      "newer models with an explicit off for newer models",
      { effort: "none" },
      row,
      { max_tokens: 8_192, thinking: { type: "disabled" } },
    ],
    [
      "older models get a budget",
      { effort: "high", model: "old-1" },
      row,
      { max_tokens: 24_576, thinking: { type: "enabled", budget_tokens: 16_384 } },
    ],
    ["older models do not think by themselves", { effort: "none", model: "old-1" }, row, { max_tokens: 8_192 }],
    [
      "compatible servers get a budget",
      { effort: "low" },
      compatible,
      { max_tokens: 8_096, thinking: { type: "enabled", budget_tokens: 4_096 } },
    ],
    [
      "a long reply has room for the thoughts",
      { effort: "medium", model: "old-1", maxOutputTokens: 32_000 },
      row,
      { max_tokens: 32_000, thinking: { type: "enabled", budget_tokens: 8_192 } },
    ],
  ])("is sent: %s", (_name, fields, vendor, expected) => {
    const made = body(fields, vendor);
    expect(made).toMatchObject(expected);
    for (const field of ["thinking", "output_config"]) expect(field in made).toBe(field in expected);
  });

  it("omits the temperature while the model thinks", () => {
    expect(body({ temperature: 0.5, effort: "low" })).not.toHaveProperty("temperature");
    expect(body({ temperature: 0.5, effort: "none" })).toHaveProperty("temperature", 0.5);
  });

  it("does not require thinking within a chain of tool calls that began without it", () => {
    const begun = (first: AgentPart[]): ModelMessage[] => [
      says("go"),
      { ...replies(...first, call("1", {})), model: "old-1" } as ModelMessage,
      result("1", "x"),
      { ...replies(call("2", {})), model: "old-1" } as ModelMessage,
      result("2", "y"),
    ];
    expect(body({ messages: begun([thought]), effort: "low", model: "old-1" })).toHaveProperty("thinking");
    expect(body({ messages: begun([]), effort: "low", model: "old-1" })).not.toHaveProperty("thinking");
    const asked = [...begun([]), replies({ type: "text", text: "done" }), says("again")];
    expect(body({ messages: asked, effort: "low", model: "old-1" })).toHaveProperty("thinking");
  });

  it("constrains an answer to a schema", () => {
    const responseSchema = { type: "object", properties: {} };
    expect(body({ responseSchema, effort: "low" }).output_config).toEqual({
      effort: "low",
      format: { type: "json_schema", schema: responseSchema },
    });
  });
});
