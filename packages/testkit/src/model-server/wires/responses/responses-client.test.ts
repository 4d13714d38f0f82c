// biome-ignore-all lint/suspicious/noTemplateCurlyInString: this is the template syntax of scenarios.
import OpenAI from "openai";
import type {
  ResponseCreateParamsNonStreaming,
  ResponseInput,
  ResponseStreamEvent,
} from "openai/resources/responses/responses";
import { afterEach, describe, expect, it } from "vitest";
import type { Flavour } from "../../flavours/flavour.ts";
import { type ModelServer, startModelServer } from "../../server.ts";
import type { TurnInput } from "../../story/scenario.ts";
import { turns } from "../../story/turns.ts";

let server: ModelServer;
afterEach(() => server.close());

async function open(list: TurnInput[], flavour: Flavour = "openai"): Promise<OpenAI> {
  server = await startModelServer({ scenario: { turns: list }, flavour });
  const path = flavour === "chatgpt" ? "/codex" : "";
  return new OpenAI({ baseURL: server.baseUrl + path, apiKey: "sk-test-1234567890", maxRetries: 0 });
}

type Extras = Partial<ResponseCreateParamsNonStreaming>;

async function stream(client: OpenAI, extras: Extras = {}): Promise<ResponseStreamEvent[]> {
  const events: ResponseStreamEvent[] = [];
  const request = { model: "m", instructions: "Be brief.", input: "Hello?", ...extras };
  for await (const event of await client.responses.create({ ...request, stream: true })) events.push(event);
  return events;
}

const types = (events: ResponseStreamEvent[]): string[] =>
  events.map((event) => event.type).filter((type, index, all) => type !== all[index - 1]);
const joined = (events: ResponseStreamEvent[], type: string): string =>
  events.map((event) => (event.type === type && "delta" in event ? event.delta : "")).join("");
const final = (events: ResponseStreamEvent[]): OpenAI.Responses.Response => {
  const last = events.at(-1);
  if (last === undefined || !("response" in last)) throw new Error(`ends with ${JSON.stringify(last)}`);
  return last.response as OpenAI.Responses.Response;
};

describe("the openai client, streaming a response", () => {
  it("reads the published events in order, numbered without a gap", async () => {
    const client = await open([
      { thinking: "Hm, let me see.", text: "Grüße 🎉", toolCalls: [{ name: "ls", arguments: { path: "." } }] },
    ]);
    const events = await stream(client);
    expect(types(events)).toEqual([
      "response.created",
      "response.in_progress",
      "response.output_item.added",
      "response.reasoning_summary_part.added",
      "response.reasoning_summary_text.delta",
      "response.reasoning_summary_text.done",
      "response.reasoning_summary_part.done",
      "response.output_item.done",
      "response.output_item.added",
      "response.content_part.added",
      "response.output_text.delta",
      "response.output_text.done",
      "response.content_part.done",
      "response.output_item.done",
      "response.output_item.added",
      "response.function_call_arguments.delta",
      "response.function_call_arguments.done",
      "response.output_item.done",
      "response.completed",
    ]);
    expect(events.map((event) => ("sequence_number" in event ? event.sequence_number : -1))).toEqual([
      ...events.keys(),
    ]);
    expect(joined(events, "response.output_text.delta")).toBe("Grüße 🎉");
    expect(joined(events, "response.function_call_arguments.delta")).toBe('{"path":"."}');
  });

  it("is put together by the client: items, ids and counts", async () => {
    const client = await open([
      {
        thinking: "Hm.",
        text: "Look:",
        toolCalls: [{ name: "ls", arguments: { path: "." } }],
        usage: { inputTokens: 100, outputTokens: 20, cachedTokens: 64, reasoningTokens: 8 },
      },
    ]);
    const response = await client.responses.stream({ model: "m", input: "Hello?" }).finalResponse();
    expect(response).toMatchObject({
      status: "completed",
      output_text: "Look:",
      output: [
        { type: "reasoning", id: expect.stringMatching(/^rs_/), summary: [{ type: "summary_text", text: "Hm." }] },
        { type: "message", id: expect.stringMatching(/^msg_/), role: "assistant", status: "completed" },
        {
          type: "function_call",
          id: expect.stringMatching(/^fc_/),
          call_id: expect.stringMatching(/^call_/),
          name: "ls",
          arguments: '{"path":"."}',
          status: "completed",
        },
      ],
      usage: {
        input_tokens: 100,
        input_tokens_details: { cached_tokens: 64 },
        output_tokens: 20,
        output_tokens_details: { reasoning_tokens: 8 },
        total_tokens: 120,
      },
    });
    expect(response.output[0]).not.toHaveProperty("encrypted_content");
  });

  it("gets the reasoning encrypted when it asks for that, and in the open when the scenario says so", async () => {
    const client = await open([
      turns.say("a", { thinking: "Hm." }),
      turns.say("b", { thinking: "Hm.", wire: { reasoningText: true } }),
    ]);
    const include = ["reasoning.encrypted_content" as const];
    expect(final(await stream(client, { include })).output[0]).toMatchObject({ encrypted_content: expect.any(String) });
    const events = await stream(client);
    expect(joined(events, "response.reasoning_text.delta")).toBe("Hm.");
    expect(final(events).output[0]).toMatchObject({ content: [{ type: "reasoning_text", text: "Hm." }], summary: [] });
  });

  it("reads a refusal", async () => {
    const client = await open([{ refusal: "I cannot help with that." }]);
    const events = await stream(client);
    expect(joined(events, "response.refusal.delta")).toBe("I cannot help with that.");
    expect(final(events).output).toMatchObject([
      { content: [{ type: "refusal", refusal: "I cannot help with that." }] },
    ]);
  });

  it.each([
    ["length", "max_output_tokens"],
    ["contentFilter", "content_filter"],
  ] as const)("reports the stop %s as incomplete for %s", async (stop, reason) => {
    const client = await open([turns.say("Cut h", { stop })]);
    const events = await stream(client);
    expect(events.at(-1)?.type).toBe("response.incomplete");
    expect(final(events)).toMatchObject({ status: "incomplete", incomplete_details: { reason } });
  });

  it("receives an error as an event, or as the response that failed", async () => {
    const fault = { kind: "streamError", message: "out of memory" } as const;
    const client = await open([
      turns.say("Some words", { fault }),
      turns.say("x", { fault, wire: { failedEvent: true } }),
    ]);
    const failing = stream(client).catch((error: Error) => error.message);
    expect(JSON.stringify(await failing)).toContain("out of memory");
    await stream(client);
    const events = await stream(client).catch((error: Error) => error.message);
    expect(JSON.stringify(events)).toContain("out of memory");
  });

  it("reads bulk text whole, each piece with a number of its own", async () => {
    const client = await open([turns.generate(500, { text: ["alpha ", "beta\n"] })]);
    const events = await stream(client);
    expect(joined(events, "response.output_text.delta")).toBe("alpha beta\n".repeat(250));
    expect(events.map((event) => ("sequence_number" in event ? event.sequence_number : -1))).toEqual([
      ...events.keys(),
    ]);
  });
});

describe("the openai client and a response in one piece", () => {
  it("gets it whole", async () => {
    const client = await open([{ thinking: "Hm.", text: "Yes.", usage: { inputTokens: 7, outputTokens: 3 } }]);
    const response = await client.responses.create({ model: "m", input: "Hello?" });
    expect(response).toMatchObject({
      object: "response",
      status: "completed",
      output_text: "Yes.",
      usage: { total_tokens: 10 },
    });
  });

  it("may send back all that it got, with the results of the calls", async () => {
    const client = await open([
      {
        thinking: "Hm.",
        text: "Look:",
        toolCalls: [
          { name: "ls", id: "call_7" },
          { name: "pwd", id: "call_8" },
        ],
      },
      turns.say("Done: ${result:ls}"),
    ]);
    const include = ["reasoning.encrypted_content" as const];
    const first = await client.responses.create({ model: "m", input: "Hello?", store: false, include });
    const outputs = ["call_7", "call_8"].map((id) => ({
      type: "function_call_output" as const,
      call_id: id,
      output: `of ${id}`,
    }));
    const input = [{ role: "user", content: "Hello?" }, ...first.output, ...outputs] as ResponseInput;
    const second = await client.responses.create({ model: "m", input, store: false });
    expect(second.output_text).toBe("Done: of call_7");
  });
});

const user = { role: "user", content: "Hello?" };
const call = { type: "function_call", call_id: "call_1", name: "ls", arguments: "{}" };
const output = { type: "function_call_output", call_id: "call_1", output: "ok" };
const reasoning = { type: "reasoning", id: "rs_1", summary: [] };

it("what codex says of itself is taken", async () => {
  await open([turns.say("Hi")]);
  const body = JSON.stringify({ model: "m", input: [user], client_metadata: { originator: "codex_exec" } });
  expect((await fetch(`${server.url}/v1/responses`, { method: "POST", body })).status).toBe(200);
});

describe("a response that is refused", () => {
  it.each<[string, Record<string, unknown>, RegExp]>([
    ["messages", { messages: [user] }, /Unsupported parameter: 'messages'.*moved to 'input'/],
    ["max_tokens", { max_tokens: 5 }, /moved to 'max_output_tokens'/],
    ["an unknown field", { thinking: {} }, /Unknown parameter: 'thinking'/],
    [
      "chat's stream options",
      { stream_options: { include_usage: true } },
      /Unknown parameter: 'stream_options.include_usage'/,
    ],
    ["no input", { input: [] }, /must be provided/],
    ["a call without output", { input: [user, call] }, /No tool output found for function call call_1\./],
    [
      "an output without call",
      { input: [user, output] },
      /No tool call found for function call output with call_id call_1\./,
    ],
    [
      "a call with chat's id",
      { input: [user, { ...call, id: "call_1" }, output] },
      /Expected an ID that begins with 'fc'/,
    ],
    [
      "reasoning alone",
      { input: [user, reasoning] },
      /'rs_1' of type 'reasoning' was provided without its required following item/,
    ],
    [
      "a call without its reasoning",
      { input: [user, { ...call, id: "fc_r0_0_0_0" }, output] },
      /'fc_r0_0_0_0' of type 'function_call' was provided without its required 'reasoning' item: 'rs_0_0_0'/,
    ],
    [
      "reasoning of another vendor",
      { input: [user, { ...reasoning, encrypted_content: "gAAAA" }, call, output] },
      /could not be verified/,
    ],
    [
      "reasoning that was not kept",
      { store: false, input: [user, reasoning, call, output] },
      /Items are not persisted/,
    ],
    [
      "an input part in an answer",
      { input: [{ role: "assistant", content: [{ type: "input_text", text: "x" }] }] },
      /Invalid value: 'input_text'/,
    ],
    [
      "a nested image",
      { input: [{ role: "user", content: [{ type: "input_image", image_url: { url: "x" } }] }] },
      /got an object instead/,
    ],
    [
      "a nested tool",
      { tools: [{ type: "function", function: { name: "ls" } }] },
      /Missing required parameter: 'tools\[0\].name'/,
    ],
  ])("has %s", async (_name, body, words) => {
    const client = await open([turns.say("still here")]);
    const sent = { model: "m", input: [user], ...body };
    const post = client.post("/responses", { body: sent });
    await expect(post).rejects.toThrow(words);
    expect(server.problems).toEqual([expect.stringMatching(words)]);
    expect((await client.responses.create({ model: "m", input: "Hello?" })).output_text).toBe("still here");
  });

  it("is too long, with a code", async () => {
    const client = await open([turns.fail({ kind: "overflow" })]);
    await expect(stream(client)).rejects.toMatchObject({ status: 400, code: "context_length_exceeded" });
  });

  it("does not suit the backend of ChatGPT, which words it as a detail", async () => {
    const client = await open([turns.say("hi")], "chatgpt");
    const answer = await fetch(`${server.baseUrl}/codex/responses`, {
      method: "POST",
      body: JSON.stringify({ model: "m", input: "x", stream: true, store: true }),
    });
    expect([answer.status, await answer.json()]).toEqual([400, { detail: "Store must be set to false" }]);
    expect(joined(await stream(client, { store: false }), "response.output_text.delta")).toBe("hi");
  });
});
