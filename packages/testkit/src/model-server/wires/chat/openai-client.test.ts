import OpenAI from "openai";
import type { ChatCompletionChunk, ChatCompletionMessageParam } from "openai/resources/chat/completions";
import { afterEach, describe, expect, it } from "vitest";
import type { Flavour } from "../../flavours/flavour.ts";
import { type ModelServer, startModelServer } from "../../server.ts";
import type { TurnInput } from "../../story/scenario.ts";
import { turns } from "../../story/turns.ts";

let server: ModelServer;
afterEach(() => server.close());

async function open(list: TurnInput[], flavour: Flavour = "openai", apiKey?: string): Promise<OpenAI> {
  server = await startModelServer({ scenario: { turns: list }, flavour, ...(apiKey === undefined ? {} : { apiKey }) });
  return new OpenAI({ baseURL: server.baseUrl, apiKey: "sk-test-1234567890", maxRetries: 0 });
}

const messages: ChatCompletionMessageParam[] = [
  { role: "system", content: "Be brief." },
  { role: "user", content: "Hello?" },
];

async function stream(client: OpenAI, extras: { include_usage?: boolean } = {}): Promise<ChatCompletionChunk[]> {
  const chunks: ChatCompletionChunk[] = [];
  const options = extras.include_usage ? { stream_options: { include_usage: true } } : {};
  for await (const chunk of await client.chat.completions.create({ model: "m", messages, stream: true, ...options })) {
    chunks.push(chunk);
  }
  return chunks;
}

const deltasOf = (chunks: ChatCompletionChunk[]): Record<string, unknown>[] =>
  chunks.flatMap((chunk) => chunk.choices.map((choice) => ({ ...choice.delta })));
const join = (chunks: ChatCompletionChunk[], field: string): string =>
  deltasOf(chunks)
    .map((delta) => (typeof delta[field] === "string" ? delta[field] : ""))
    .join("");

describe("the openai client, streaming", () => {
  it("reads text in pieces, the finish reason and no usage unless asked", async () => {
    const client = await open([turns.say("Grüße, 世界 🎉, and more words to split.", { chunk: { size: 5 } })]);
    const chunks = await stream(client);
    expect(join(chunks, "content")).toBe("Grüße, 世界 🎉, and more words to split.");
    expect(chunks.length).toBeGreaterThan(6);
    expect(chunks.at(-1)?.choices[0]?.finish_reason).toBe("stop");
    expect(chunks.every((chunk) => chunk.usage === undefined && chunk.object === "chat.completion.chunk")).toBe(true);
  });

  it("gets usage in a last chunk with empty choices when asked, and null before", async () => {
    const usage = { inputTokens: 100, outputTokens: 20, cachedTokens: 64, reasoningTokens: 8 };
    const client = await open([turns.say("Hi", { usage })]);
    const chunks = await stream(client, { include_usage: true });
    expect(chunks.at(-1)).toMatchObject({
      choices: [],
      usage: {
        prompt_tokens: 100,
        completion_tokens: 20,
        total_tokens: 120,
        prompt_tokens_details: { cached_tokens: 64 },
        completion_tokens_details: { reasoning_tokens: 8 },
      },
    });
    expect(chunks.slice(0, -1).every((chunk) => chunk.usage === null)).toBe(true);
  });

  it.each([
    ["llamacpp", "reasoning_content"],
    ["openrouter", "reasoning"],
  ] as const)("reads the thinking of %s in %s", async (flavour, field) => {
    const client = await open([turns.say("Answer.", { thinking: "Let me think it over." })], flavour);
    const chunks = await stream(client);
    expect(join(chunks, field)).toBe("Let me think it over.");
    expect(join(chunks, "content")).toBe("Answer.");
  });

  it("builds parallel tool calls from pieces of arguments by index", async () => {
    const client = await open([
      turns.calls(
        [
          ["read", { file_path: "/work/a file.ts" }],
          ["bash", { command: "printf '{\"x\": 1}'" }],
        ],
        { chunk: { size: 6 } },
      ),
    ]);
    const final = await client.chat.completions.stream({ model: "m", messages }).finalChatCompletion();
    const calls = final.choices[0]?.message.tool_calls ?? [];
    expect(final.choices[0]?.finish_reason).toBe("tool_calls");
    expect(
      calls.map((call) => call.type === "function" && [call.function.name, JSON.parse(call.function.arguments)]),
    ).toEqual([
      ["read", { file_path: "/work/a file.ts" }],
      ["bash", { command: "printf '{\"x\": 1}'" }],
    ]);
    expect(new Set(calls.map((call) => call.id)).size).toBe(2);
  });

  it.each([
    ["length", "length"],
    ["contentFilter", "content_filter"],
    ["toolCalls", "tool_calls"],
  ] as const)("reports the stop %s as %s", async (stop, reason) => {
    const client = await open([turns.say("Cut h", { stop })]);
    expect((await stream(client)).at(-1)?.choices[0]?.finish_reason).toBe(reason);
  });

  it("throws what an error object in the stream says", async () => {
    const client = await open([turns.say("Some words", { fault: { kind: "streamError", message: "out of memory" } })]);
    await expect(stream(client)).rejects.toThrow("out of memory");
  });
});

describe("the openai client, in one piece", () => {
  it("gets text, thinking, calls and usage", async () => {
    const client = await open([
      {
        text: "Look:",
        thinking: "Hm.",
        toolCalls: [{ name: "ls", arguments: { path: "." } }],
        usage: { inputTokens: 7, outputTokens: 3 },
      },
    ]);
    const completion = await client.chat.completions.create({ model: "m", messages });
    expect(completion.choices[0]).toMatchObject({
      finish_reason: "tool_calls",
      message: {
        role: "assistant",
        content: "Look:",
        reasoning_content: "Hm.",
        tool_calls: [{ type: "function", function: { name: "ls", arguments: '{"path":"."}' } }],
      },
    });
    expect(completion.usage).toMatchObject({ prompt_tokens: 7, completion_tokens: 3, total_tokens: 10 });
  });

  it("lists the models and finds one", async () => {
    const client = await open([]);
    const ids = (await client.models.list()).data.map((model) => model.id);
    expect(ids).toEqual(["scripted-model"]);
    expect((await client.models.retrieve("scripted-model")).object).toBe("model");
  });
});

describe("the openai client and refusals", () => {
  it.each([
    [401, OpenAI.AuthenticationError],
    [429, OpenAI.RateLimitError],
    [500, OpenAI.InternalServerError],
    [529, OpenAI.InternalServerError],
  ])("throws its own error for %d, with the vendor's words", async (status, type) => {
    const client = await open([turns.fail({ kind: "status", status, message: "no luck" })]);
    const error = await stream(client).catch((caught: unknown) => caught);
    expect(error).toBeInstanceOf(type);
    expect(error).toMatchObject({ status, message: expect.stringContaining("no luck") });
  });

  it("receives the code of a context overflow", async () => {
    const client = await open([turns.fail({ kind: "overflow" })]);
    await expect(stream(client)).rejects.toMatchObject({ status: 400, code: "context_length_exceeded" });
  });

  it("is refused with a wrong key, and its key is not kept", async () => {
    const client = await open([turns.say("never")], "openai", "another");
    await expect(stream(client)).rejects.toMatchObject({ status: 401, code: "invalid_api_key" });
    expect(server.requests[0]?.headers.authorization).toBe("Bearer …7890");
    expect(JSON.stringify(server.requests)).not.toContain("sk-test");
  });

  it.each<[string, ChatCompletionMessageParam[], RegExp]>([
    ["a result without a call", [{ role: "tool", tool_call_id: "call_9", content: "?" }], /must be a response/],
    [
      "a call without a result",
      [
        {
          role: "assistant",
          content: null,
          tool_calls: [{ id: "call_7", type: "function", function: { name: "ls", arguments: "{}" } }],
        },
        { role: "user", content: "and?" },
      ],
      /did not have response messages: call_7/,
    ],
    ["an assistant message with nothing in it", [{ role: "assistant", content: null }], /expected a string, got null/],
  ])("is refused for %s, and no turn is spent", async (_name, broken, words) => {
    const client = await open([turns.say("still here")]);
    const bad = client.chat.completions.create({ model: "m", messages: [...messages, ...broken] });
    await expect(bad).rejects.toThrow(words);
    expect(server.problems).toEqual([expect.stringMatching(words)]);
    expect(join(await stream(client), "content")).toBe("still here");
  });

  it("is refused a model that the scenario does not list", async () => {
    server = await startModelServer({ scenario: { models: [{ id: "only-this" }], turns: [] } });
    const client = new OpenAI({ baseURL: server.baseUrl, apiKey: "test", maxRetries: 0 });
    await expect(stream(client)).rejects.toMatchObject({ status: 404, code: "model_not_found" });
  });
});
