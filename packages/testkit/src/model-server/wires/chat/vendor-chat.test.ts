import { afterEach, describe, expect, it } from "vitest";
import { type Flavour, flavourRows } from "../../flavours/flavour.ts";
import { type ModelServer, startModelServer } from "../../server.ts";
import type { ScenarioInput, TurnInput } from "../../story/scenario.ts";
import { turns } from "../../story/turns.ts";

// The documented differences of vendors that follow OpenAI's chat completions.

let server: ModelServer;
afterEach(() => server.close());

type Json = Record<string, unknown>;
type Chunk = Json & { choices: { delta: Json; finish_reason: string | null }[] };

const hello = { role: "user", content: "Hello?" };

async function open(flavour: Flavour, list: TurnInput[], scenario: ScenarioInput = {}): Promise<void> {
  server = await startModelServer({ flavour, scenario: { ...scenario, turns: list } });
}

function post(body: Json = {}): Promise<Response> {
  const request = { model: "m", messages: [hello], ...body };
  return fetch(`${server.baseUrl}/chat/completions`, { method: "POST", body: JSON.stringify(request) });
}

async function chunks(body: Json = {}): Promise<Chunk[]> {
  const text = await (await post({ stream: true, stream_options: { include_usage: true }, ...body })).text();
  const lines = text.split("\n").filter((line) => line.startsWith("data: {"));
  return lines.map((line) => JSON.parse(line.slice("data: ".length)));
}

const deltas = (list: Chunk[]): Json[] => list.flatMap((chunk) => chunk.choices.map((choice) => choice.delta));
const callsIn = (list: Chunk[]): unknown[] => deltas(list).flatMap((delta) => delta.tool_calls ?? []);
const usage = { inputTokens: 100, outputTokens: 20, cachedTokens: 64, reasoningTokens: 8 };
const two: TurnInput = {
  toolCalls: [
    { name: "ls", arguments: { path: "." } },
    { name: "pwd", arguments: {} },
  ],
};
const call = (id: string, extras: Json = {}) => {
  return { id, type: "function", function: { name: "ls", arguments: "{}" }, ...extras };
};
const called = (id: string, extras: Json = {}, fields: Json = {}) => {
  return { role: "assistant", content: null, tool_calls: [call(id, extras)], ...fields };
};
const answered = (id: string) => ({ role: "tool", tool_call_id: id, content: "ok" });

async function refused(body: Json): Promise<[number, unknown]> {
  const answer = await post(body);
  return [answer.status, await answer.json()];
}

describe("Gemini through OpenAI's format", () => {
  it("thinks in tags, and sends each call whole, with index 0, the first one signed", async () => {
    await open("gemini", [{ ...two, thinking: "Hm, hm.", text: "Look:", chunk: { size: 4 }, usage }]);
    const list = await chunks();
    const content = deltas(list).map((delta) => delta.content ?? "");
    expect(content.join("")).toBe("<thought>Hm, hm.</thought>Look:");
    expect(deltas(list)[1]).toMatchObject({ extra_content: { google: { thought: true } } });
    const [first, second] = callsIn(list);
    expect(first).toMatchObject({
      index: 0,
      function: { name: "ls", arguments: '{"path":"."}' },
      extra_content: { google: { thought_signature: expect.any(String) } },
    });
    expect(second).toMatchObject({ index: 0, function: { name: "pwd", arguments: "{}" } });
    expect(second).not.toHaveProperty("extra_content");
    expect(list.at(-1)).toMatchObject({
      choices: [{ finish_reason: "tool_calls" }],
      usage: { prompt_tokens: 100, completion_tokens: 12, total_tokens: 120 },
    });
  });

  it("wants the signature back, in calls since the last word of the person", async () => {
    await open("gemini", [two, turns.say("a"), turns.say("b"), turns.say("c")]);
    const [signed] = callsIn(await chunks()) as (Json & { id: string })[];
    if (signed === undefined) throw new Error("There was a call.");
    const { id, extra_content: proof } = signed;
    const [status, error] = await refused({ messages: [hello, called(id), answered(id)] });
    expect(status).toBe(400);
    expect(error).toMatchObject([
      {
        error: {
          code: 400,
          status: "INVALID_ARGUMENT",
          message: expect.stringContaining("missing a thought_signature"),
        },
      },
    ]);
    const forged = { extra_content: { google: { thought_signature: "abc" } } };
    expect((await refused({ messages: [hello, called(id, forged), answered(id)] }))[0]).toBe(400);
    const whole = [hello, called(id, { extra_content: proof }), answered(id)];
    expect((await post({ messages: whole })).status).toBe(200);
    expect((await post({ messages: [hello, called(id), answered(id), hello] })).status).toBe(200);
  });

  it("lists models by their full names, and answers to short ones", async () => {
    const scenario = { models: [{ id: "models/gemini-9" }] };
    await open("gemini", [turns.say("ok")], scenario);
    const list = await (await fetch(`${server.baseUrl}/models`)).json();
    expect(list).toMatchObject({ data: [{ id: "models/gemini-9", owned_by: "google" }] });
    expect((await post({ model: "gemini-9" })).status).toBe(200);
    expect((await post({ model: "gemini-8" })).status).toBe(404);
  });

  it("names what it filtered", async () => {
    await open("gemini", [turns.say("x", { stop: "contentFilter" })]);
    expect((await chunks()).at(-1)?.choices[0]?.finish_reason).toBe("content_filter: PROHIBITED_CONTENT");
  });
});

describe("where the counts are", () => {
  it("groq: under x_groq, in the chunk with the finish reason", async () => {
    await open("groq", [turns.say("Hi", { thinking: "Hm.", usage })]);
    const list = await chunks();
    expect(list[0]).toMatchObject({ x_groq: { id: "req_1" } });
    expect(list.at(-1)).toMatchObject({
      choices: [{ finish_reason: "stop" }],
      x_groq: { id: "req_1", usage: { prompt_tokens: 100, completion_tokens: 20, total_tokens: 120 } },
    });
    expect(list.at(-1)).not.toHaveProperty("usage");
    expect(
      deltas(list)
        .map((delta) => delta.reasoning ?? "")
        .join(""),
    ).toBe("Hm.");
  });

  it("deepseek: with cache hits and misses", async () => {
    await open("deepseek", [turns.say("Hi", { usage })]);
    expect((await chunks()).at(-1)).toMatchObject({
      choices: [{ finish_reason: "stop" }],
      usage: { prompt_tokens: 100, prompt_cache_hit_tokens: 64, prompt_cache_miss_tokens: 36 },
    });
  });

  it("xai: thinking is in the total only", async () => {
    await open("xai", [turns.say("Hi", { usage })]);
    expect((await chunks()).at(-1)).toMatchObject({
      choices: [],
      usage: {
        prompt_tokens: 100,
        completion_tokens: 12,
        total_tokens: 120,
        completion_tokens_details: { reasoning_tokens: 8 },
      },
    });
  });
});

describe("what only one vendor refuses", () => {
  it("deepseek: a call without its thoughts", async () => {
    await open("deepseek", [turns.say("a"), turns.say("b")]);
    const messages = [hello, called("call_1"), answered("call_1")];
    expect(await refused({ messages })).toMatchObject([
      400,
      { error: { message: expect.stringContaining("`reasoning_content` in the thinking mode must be passed back") } },
    ]);
    const empty = [hello, called("call_1", {}, { reasoning_content: "" }), answered("call_1")];
    expect((await post({ messages: empty })).status).toBe(200);
    expect((await post({ messages, thinking: { type: "disabled" } })).status).toBe(200);
  });

  it("mistral: ids that are not nine letters or digits, and a person right after a tool", async () => {
    await open("mistral", [two, turns.say("ok")]);
    const [first, second] = callsIn(await chunks()) as { id: string }[];
    expect([first?.id, second?.id]).toEqual([
      expect.stringMatching(/^[a-zA-Z0-9]{9}$/),
      expect.not.stringMatching(first?.id ?? ""),
    ]);
    expect(await refused({ messages: [hello, called("call_1"), answered("call_1")] })).toEqual([
      400,
      {
        object: "error",
        message: "Tool call id was call_1 but must be a-z, A-Z, 0-9, with a length of 9.",
        type: "invalid_function_call",
        param: null,
        code: "3280",
      },
    ]);
    const id = first?.id ?? "";
    expect(await refused({ messages: [hello, called(id), answered(id), hello] })).toMatchObject([
      400,
      { message: "Unexpected role 'user' after role 'tool'" },
    ]);
    expect((await post({ messages: [hello, called(id), answered(id)] })).status).toBe(200);
  });

  it("vllm: tools it was not started for", async () => {
    await open("vllm", [turns.say("ok")], { models: [{ id: "m", capabilities: ["completion"] }] });
    const tools = [{ type: "function", function: { name: "ls", parameters: {} } }];
    expect(await refused({ tools })).toMatchObject([
      400,
      { error: { message: '"auto" tool choice requires --enable-auto-tool-choice and --tool-call-parser to be set' } },
    ]);
    expect((await post({ tools, tool_choice: "none" })).status).toBe(200);
  });

  it("llama.cpp: broken arguments, two grammars, or a grammar with tools", async () => {
    await open("llamacpp", [turns.say("ok")]);
    const broken = called("c", { function: { name: "ls", arguments: '{"path' } });
    expect(await refused({ messages: [hello, broken, answered("c")] })).toMatchObject([
      500,
      {
        error: {
          code: 500,
          type: "server_error",
          message: expect.stringMatching(/^Failed to parse tool call arguments/),
        },
      },
    ]);
    const grammar = 'root ::= "a"';
    expect((await refused({ grammar, json_schema: {} }))[0]).toBe(400);
    const tools = [{ type: "function", function: { name: "ls", parameters: {} } }];
    expect((await refused({ grammar, tools }))[0]).toBe(400);
    expect((await post({ json_schema: { type: "object" }, cache_prompt: true, id_slot: 0 })).status).toBe(200);
  });
});

describe("thinking", () => {
  it("of mistral is a part of the content", async () => {
    await open("mistral", [turns.say("Hi", { thinking: "Hm." }), turns.say("Hi", { thinking: "Hm." })]);
    expect(deltas(await chunks()).map((delta) => delta.content)).toContainEqual([
      { type: "thinking", thinking: [{ type: "text", text: "Hm." }] },
    ]);
    const whole = (await (await post()).json()) as { choices: { message: Json }[] };
    expect(whole.choices[0]?.message.content).toEqual([
      { type: "thinking", thinking: [{ type: "text", text: "Hm." }] },
      { type: "text", text: "Hi" },
    ]);
  });

  it("of models that sign ends with a signature at OpenRouter", async () => {
    await open("openrouter", [turns.say("Hi", { thinking: "Hm.", repeat: 2 })]);
    const signatures = (list: Chunk[]) =>
      deltas(list)
        .flatMap((delta) => (delta.reasoning_details as Json[] | undefined) ?? [])
        .filter((one) => one.signature);
    expect(signatures(await chunks({ model: "anthropic/claude" }))).toHaveLength(1);
    expect(signatures(await chunks({ model: "qwen/qwen3" }))).toHaveLength(0);
  });
});

describe("an error body", () => {
  it.each<[Flavour, unknown]>([
    ["gemini", [{ error: { code: 429, message: "no luck", status: "RESOURCE_EXHAUSTED" } }]],
    ["mistral", { object: "error", message: "no luck", type: "requests", param: null, code: "rate_limit_exceeded" }],
    ["xai", { code: "requests", error: "no luck" }],
    ["zai", { error: { code: "rate_limit_exceeded", message: "no luck" } }],
    ["groq", { error: { message: "no luck", type: "requests", param: null, code: "rate_limit_exceeded" } }],
  ])("of %s has its own shape", async (flavour, expected) => {
    await open(flavour, [turns.fail({ kind: "status", status: 429, message: "no luck" })]);
    const answer = await post();
    expect([answer.status, await answer.json()]).toEqual([429, expected]);
    expect(answer.headers.get("content-type")).toContain("application/json");
  });

  it.each<[Flavour, RegExp]>([
    ["gemini", /input token count/],
    ["xai", /maximum prompt length is 131072/],
    ["zai", /"1261".*Prompt exceeds max length/],
    ["fireworks", /prompt is too long: 140112/],
    ["deepseek", /maximum context length is 131072/],
  ])("of %s says that a prompt is too long", async (flavour, words) => {
    await open(flavour, [turns.fail({ kind: "overflow" })]);
    expect(await (await post()).text()).toMatch(words);
  });
});

describe("each vendor", () => {
  const hosted: Flavour[] = ["gemini", "groq", "deepseek", "mistral", "xai", "fireworks", "zai"];

  it.each(hosted)("%s lists its models below its own path, and names its variables", async (flavour) => {
    await open(flavour, []);
    const { basePath, urlVariable, keyVariable, modelId } = flavourRows[flavour];
    const list = await (await fetch(`${server.url}${basePath}/models`)).json();
    expect(list).toMatchObject({ object: "list", data: [{ id: modelId }] });
    expect(server.environment).toEqual({ [urlVariable]: server.baseUrl, [String(keyVariable)]: "test" });
  });
});
