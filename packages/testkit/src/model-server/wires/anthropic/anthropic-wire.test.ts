import { afterEach, describe, expect, it } from "vitest";
import { type ModelServer, type ModelServerOptions, startModelServer } from "../../server.ts";
import type { TurnInput } from "../../story/scenario.ts";
import { turns } from "../../story/turns.ts";

// Expectations follow docs.anthropic.com: "Messages", "Streaming messages", "Extended thinking", "Errors".

let server: ModelServer;
afterEach(() => server.close());

async function open(list: TurnInput[], options: Partial<ModelServerOptions> = {}): Promise<void> {
  server = await startModelServer({ scenario: { turns: list }, flavour: "anthropic", ...options });
}

type Json = Record<string, unknown>;
const hello = { role: "user", content: "Hello?" };
const headers = { "x-api-key": "sk-ant-test", "anthropic-version": "2023-06-01" };

function post(body: Json = {}, sent: Record<string, string> = headers): Promise<Response> {
  const request = { model: "claude-scripted-1", max_tokens: 4096, messages: [hello], ...body };
  return fetch(`${server.url}/v1/messages`, { method: "POST", headers: sent, body: JSON.stringify(request) });
}

type Event = { name: string | undefined; data: Json & { type: string } };

async function events(body: Json = {}): Promise<Event[]> {
  const answer = await post({ stream: true, ...body });
  const text = await answer.text();
  return text
    .trim()
    .split("\n\n")
    .map((block) => ({
      name: /^event: (.*)$/m.exec(block)?.[1],
      data: JSON.parse(/^data: (.*)$/m.exec(block)?.[1] ?? "null"),
    }));
}

describe("a stream of Anthropic's", () => {
  it("has the published events, each named as its type says", async () => {
    await open([turns.say("Hi there", { usage: { inputTokens: 120, outputTokens: 15, cachedTokens: 100 } })]);
    const list = await events();
    expect(list.map((event) => event.name)).toEqual([
      "message_start",
      "ping",
      "content_block_start",
      "content_block_delta",
      "content_block_stop",
      "message_delta",
      "message_stop",
    ]);
    expect(list.every((event) => event.name === event.data.type)).toBe(true);
    expect(list[0]?.data).toMatchObject({
      message: {
        type: "message",
        role: "assistant",
        model: "claude-scripted-1",
        content: [],
        stop_reason: null,
        stop_sequence: null,
        usage: { input_tokens: 20, cache_creation_input_tokens: 0, cache_read_input_tokens: 100, output_tokens: 1 },
      },
    });
    expect(list[2]?.data).toEqual({
      type: "content_block_start",
      index: 0,
      content_block: { type: "text", text: "" },
    });
    expect(list[3]?.data).toEqual({
      type: "content_block_delta",
      index: 0,
      delta: { type: "text_delta", text: "Hi there" },
    });
    expect(list[5]?.data).toEqual({
      type: "message_delta",
      delta: { stop_reason: "end_turn", stop_sequence: null },
      usage: { output_tokens: 15 },
    });
  });

  it("shows thinking with its signature, redacted thinking, text and calls as blocks in order", async () => {
    await open([
      {
        redactedThinking: "secret",
        thinking: "Let me see.",
        text: "Look:",
        toolCalls: [{ name: "ls", arguments: { path: "." } }, { name: "pwd" }],
        chunk: { size: 4 },
      },
    ]);
    const list = await events();
    const starts = list.filter((event) => event.name === "content_block_start").map((event) => event.data);
    expect(starts.map((start) => (start.content_block as Json).type)).toEqual([
      "redacted_thinking",
      "thinking",
      "text",
      "tool_use",
      "tool_use",
    ]);
    expect(starts.map((start) => start.index)).toEqual([0, 1, 2, 3, 4]);
    expect(starts[3]?.content_block).toEqual({ type: "tool_use", id: "toolu_0_0_0_0", name: "ls", input: {} });
    const deltas = list.filter((event) => event.name === "content_block_delta").map((event) => event.data);
    const joined = (index: number, field: string) =>
      deltas.flatMap((delta) => (delta.index === index ? ((delta.delta as Json)[field] ?? []) : [])).join("");
    expect(joined(1, "thinking")).toBe("Let me see.");
    expect(joined(1, "signature").length).toBeGreaterThan(20);
    expect(joined(3, "partial_json")).toBe('{"path":"."}');
    expect(deltas.find((delta) => delta.index === 3)?.delta).toEqual({ type: "input_json_delta", partial_json: "" });
    expect(list.at(-2)?.data).toMatchObject({ delta: { stop_reason: "tool_use" } });
  });

  it.each([
    ["length", "max_tokens"],
    ["contentFilter", "refusal"],
    ["pause", "pause_turn"],
    ["stopSequence", "stop_sequence"],
    ["windowFull", "model_context_window_exceeded"],
  ] as const)("reports the stop %s as %s", async (stop, reason) => {
    await open([turns.say("Cut h", { stop })]);
    expect((await events()).at(-2)?.data).toMatchObject({ delta: { stop_reason: reason } });
  });

  it("breaks off with an event named error", async () => {
    await open([turns.say("Some words", { fault: { kind: "streamError", message: "Overloaded", code: 529 } })]);
    expect((await events()).at(-1)).toMatchObject({
      name: "error",
      data: { type: "error", error: { type: "overloaded_error", message: "Overloaded" } },
    });
  });

  it("has no delta with arguments for a call without any, when the scenario says so", async () => {
    await open([turns.call("pwd", {}, { wire: { emptyInput: true, pings: true } })]);
    const list = await events();
    const deltas = list.filter((event) => event.name === "content_block_delta").map((event) => event.data.delta);
    expect(deltas).toEqual([{ type: "input_json_delta", partial_json: "" }]);
    expect(list.filter((event) => event.name === "ping").length).toBeGreaterThan(4);
  });
});

describe("an answer of Anthropic's in one piece", () => {
  it("has the same blocks and counts", async () => {
    const usage = { inputTokens: 50, outputTokens: 9, cachedTokens: 30, cacheWriteTokens: 15 };
    await open([{ thinking: "Hm.", text: "Look:", toolCalls: [{ name: "ls", arguments: { path: "." } }], usage }]);
    const answer = await post();
    expect([answer.status, answer.headers.get("request-id")]).toEqual([200, expect.stringMatching(/^req_/)]);
    expect(await answer.json()).toMatchObject({
      type: "message",
      role: "assistant",
      content: [
        { type: "thinking", thinking: "Hm.", signature: expect.any(String) },
        { type: "text", text: "Look:" },
        { type: "tool_use", name: "ls", input: { path: "." } },
      ],
      stop_reason: "tool_use",
      usage: { input_tokens: 5, cache_read_input_tokens: 30, cache_creation_input_tokens: 15, output_tokens: 9 },
    });
  });

  it("leaves the thinking out when the request turns it off", async () => {
    await open([turns.say("Yes.", { thinking: "Hm." })]);
    const answer = (await (await post({ thinking: { type: "disabled" } })).json()) as Json;
    expect(answer.content).toEqual([{ type: "text", text: "Yes." }]);
  });

  it("lists its models", async () => {
    await open([]);
    const list = await (await fetch(`${server.url}/v1/models`)).json();
    const model = { type: "model", id: "claude-scripted-1", display_name: "claude-scripted-1" };
    expect(list).toMatchObject({
      data: [{ ...model, created_at: expect.any(String) }],
      has_more: false,
      first_id: "claude-scripted-1",
      last_id: "claude-scripted-1",
    });
    expect(await (await fetch(`${server.url}/v1/models/claude-scripted-1`)).json()).toMatchObject(model);
  });
});

const use = (id: string, extras: Json = {}) => ({ type: "tool_use", id, name: "ls", input: {}, ...extras });
const result = (id: string) => ({ type: "tool_result", tool_use_id: id, content: "done" });
const says = (...content: Json[]) => ({ role: "assistant", content });
const asks = (...content: Json[]) => ({ role: "user", content });
const text = (words: string) => ({ type: "text", text: words });

describe("a request that Anthropic refuses", () => {
  it.each<[string, Json, RegExp]>([
    ["no max_tokens", { max_tokens: undefined }, /max_tokens: Field required/],
    ["a field of another API", { max_completion_tokens: 5 }, /max_completion_tokens: Extra inputs are not permitted/],
    ["an answer first", { messages: [says(text("Hi"))] }, /first message must use the "user" role/],
    ["a system message", { messages: [{ role: "system", content: "x" }] }, /Input should be 'user' or 'assistant'/],
    ["an empty text", { messages: [asks(text(""))] }, /text content blocks must be non-empty/],
    ["an empty message", { messages: [asks()] }, /must have non-empty content/],
    [
      "a call without a result",
      { messages: [hello, says(use("toolu_1")), asks(text("and?"))] },
      /messages\.1: `tool_use` ids were found without `tool_result` blocks immediately after: toolu_1\./,
    ],
    [
      "a result behind a text",
      { messages: [hello, says(use("toolu_1")), asks(text("and?"), result("toolu_1"))] },
      /without `tool_result` blocks immediately after/,
    ],
    [
      "a result without a call",
      { messages: [hello, says(text("Hi")), asks(result("toolu_9"))] },
      /messages\.2\.content\.0: unexpected `tool_use_id` found in `tool_result` blocks: toolu_9\./,
    ],
    ["two calls of one id", { messages: [hello, says(use("a"), use("a")), asks(result("a"))] }, /must be unique/],
    [
      "a text for an input",
      { messages: [hello, says(use("a", { input: "{}" })), asks(result("a"))] },
      /valid dictionary/,
    ],
    [
      "a forged signature",
      { messages: [hello, says({ type: "thinking", thinking: "Hm.", signature: "abc" }, text("x")), asks(text("y"))] },
      /messages\.1\.content\.0: Invalid `signature` in `thinking` block/,
    ],
    ["a tool's name", { tools: [{ name: "a.b", input_schema: { type: "object" } }] }, /tools\.0\.custom\.name/],
    ["a budget that is too large", { thinking: { type: "enabled", budget_tokens: 9000 } }, /must be greater than/],
    [
      "a temperature with thinking",
      { temperature: 0, thinking: { type: "enabled", budget_tokens: 2000 } },
      /may only be set to 1/,
    ],
    [
      "a call without its thoughts",
      {
        thinking: { type: "enabled", budget_tokens: 2000 },
        messages: [hello, says(use("a")), asks(result("a"))],
      },
      /Expected `thinking` or `redacted_thinking`, but found `tool_use`/,
    ],
    [
      "an image of an unknown kind",
      { messages: [asks({ type: "image", source: { media_type: "image/bmp" } })] },
      /media_type/,
    ],
  ])("has %s", async (_name, body, words) => {
    await open([turns.say("still here")]);
    const answer = await post(body);
    expect(await answer.json()).toMatchObject({
      type: "error",
      error: { type: "invalid_request_error", message: expect.stringMatching(words) },
      request_id: expect.any(String),
    });
    expect(answer.status).toBe(400);
    expect(server.problems).toEqual([expect.stringMatching(words)]);
    expect((await post()).status).toBe(200);
  });

  it("has no key, a login without its beta, or no version", async () => {
    await open([turns.say("a"), turns.say("b")]);
    const version = { "anthropic-version": "2023-06-01" };
    const bearer = { ...version, authorization: "Bearer sk-ant-oat-1" };
    const statuses = [{}, version, bearer, { "x-api-key": "k" }, { ...bearer, "anthropic-beta": "oauth-2025-04-20" }];
    const answers = await Promise.all(statuses.map((sent) => post({}, sent as Record<string, string>)));
    expect(answers.map((answer) => answer.status)).toEqual([401, 401, 401, 400, 200]);
  });

  it("is let in with the right key only", async () => {
    await open([turns.say("a")], { apiKey: "sk-ant-test" });
    expect((await post({}, { ...headers, "x-api-key": "other" })).status).toBe(401);
    expect((await post()).status).toBe(200);
  });

  it("accepts in a request what it sent before: thinking, redacted thinking, calls and their results", async () => {
    await open([{ redactedThinking: "s", thinking: "Hm.", text: "x", toolCalls: [{ name: "ls" }] }, turns.say("ok")]);
    const { content } = (await (await post()).json()) as { content: Json[] };
    const messages = [hello, says(...content), asks(result(String(content.at(-1)?.id)), text("go on"))];
    expect(await (await post({ messages, thinking: { type: "enabled", budget_tokens: 1024 } })).json()).toMatchObject({
      content: [{ type: "text", text: "ok" }],
    });
  });

  it.each([
    [400, "invalid_request_error"],
    [401, "authentication_error"],
    [403, "permission_error"],
    [404, "not_found_error"],
    [413, "request_too_large"],
    [429, "rate_limit_error"],
    [500, "api_error"],
    [529, "overloaded_error"],
  ])("receives the status %i as %s", async (status, type) => {
    await open([turns.fail({ kind: "status", status })]);
    const answer = await post();
    expect([answer.status, await answer.json()]).toMatchObject([status, { type: "error", error: { type } }]);
  });

  it("is too long", async () => {
    await open([turns.fail({ kind: "overflow" })]);
    expect(await (await post()).json()).toMatchObject({
      error: { type: "invalid_request_error", message: "prompt is too long: 213462 tokens > 200000 maximum" },
    });
  });
});

it("a message of the system is taken under the beta for changes in mid-conversation", async () => {
  await open([turns.say("Hi")]);
  const messages = [hello, { role: "system", content: "The day is Monday." }];
  const beta = { "anthropic-beta": "effort-2025-11-24,mid-conversation-tool-changes-2026-07-01" };
  expect((await post({ messages }, { ...headers, ...beta })).status).toBe(200);
});

describe("a scenario played to Anthropic's clients", () => {
  it("sees the system text, the tools, and results as those of their tool", async () => {
    await open([], {
      scenario: {
        lanes: [
          {
            match: { system: "Be brief", hasTool: "ls", toolResultFor: "ls", lastUser: "go on" },
            turns: [turns.say("matched")],
          },
        ],
      },
    });
    const answer = await post({
      system: [{ type: "text", text: "Be brief." }],
      tools: [{ name: "ls", description: "", input_schema: { type: "object" } }],
      messages: [asks(text("go on")), says(use("a")), asks(result("a"))],
    });
    expect(await answer.json()).toMatchObject({ content: [{ text: "matched" }] });
  });
});
