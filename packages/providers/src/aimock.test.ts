import { LLMock } from "@copilotkit/aimock";
import type { Clock, ModelEvent, ModelMessage, ModelRequest } from "@harness/core";
import { endEvent, failedEvent, joinDeltas, talk } from "@harness/testkit";
import { afterEach, describe, expect, it } from "vitest";
import { realClock } from "../test/clocks.ts";
import { resolveModel } from "../test/resolver.ts";
import type { ResolvedModel } from "./choice/model-question.ts";
import { readConf } from "./vendor-files/conf-vendor.ts";
import { builtInVendors } from "./vendors/vendor-registry.ts";

// A server that other people wrote (@copilotkit/aimock): our reader is not only tested against our own writer, and
// others read our requests. It is set up and used as a user would: a `.conf` file, a key, a model. It cuts texts into
// pieces of four UTF-16 units, so that half of an emoji is a piece of its own.
//
// Where aimock 1.43 differs from the vendors' references, which our own scripted server follows:
// - Ollama: thinking is in `message.reasoning_content`, where Ollama has `message.thinking`: not read here. Counts are
//   always 0, the reason to stop is always `stop`, and `/api/show`, `/api/ps` and `/api/version` are missing.
// - Responses and messages: counts are 0 when the script has none. Responses: a filtered answer has `failed` (OpenAI:
//   `incomplete` with the reason `content_filter`), and so is not asked for.
// - Messages: text that stands behind results is read as standing before them.

const KEY = "sk-aimock-0123456789";
const TEXT = "Größe 12 €, 日本語, 👩‍💻 and \u{1F600} end.";
const ARGS = { path: "/tmp/naïve 🎉.txt", deep: { quote: '"', lines: [1, 2] } };

type Row = {
  protocol: "openai" | "responses" | "anthropic" | "ollama";
  path: string;
  model: string;
  /** Scripted counts come through under the names of the API. */
  counts: boolean;
  /** Data besides the text that thinking includes; absent = none (above). */
  thought?: object;
  saysLength: boolean;
  /** A reply keeps the order of text and calls. */
  ordered: boolean;
  /** Results name the call that they answer. */
  ids: boolean;
};

const rows: readonly Row[] = [
  {
    protocol: "openai",
    path: "/v1/chat/completions",
    model: "gpt-oss-120b",
    counts: true,
    thought: { vendorData: { field: "reasoning_content" } },
    saysLength: true,
    ordered: false,
    ids: true,
  },
  {
    protocol: "responses",
    path: "/v1/responses",
    model: "gpt-5.6",
    counts: true,
    thought: { vendorData: { reasoning: { encrypted_content: expect.any(String), summary: expect.any(Array) } } },
    saysLength: true,
    ordered: true,
    ids: true,
  },
  {
    protocol: "anthropic",
    path: "/v1/messages",
    model: "claude-sonnet-4-5",
    counts: true,
    thought: { signature: "signed-by-aimock" },
    saysLength: true,
    ordered: true,
    ids: true,
  },
  {
    protocol: "ollama",
    path: "/api/chat",
    model: "qwen3:8b",
    counts: false,
    saysLength: false,
    ordered: false,
    ids: false,
  },
];

const mocks: LLMock[] = [];

afterEach(async () => {
  await Promise.all(mocks.splice(0).map((mock) => mock.stop()));
});

/** Waits that a server asked for are over at once; all others take their time. */
const ASKED_MS = 2_000;
const impatient: Clock = {
  ...realClock,
  sleep: (ms, signal) => (ms === ASKED_MS ? Promise.resolve() : realClock.sleep(ms, signal)),
};

/** Strict: it refuses what it has no answer for, and thinking that Anthropic would refuse. */
function script(write: (mock: LLMock) => void): LLMock {
  const mock = new LLMock({ chunkSize: 4, strict: true, auth: { apiKeys: [KEY] } });
  mocks.push(mock);
  write(mock);
  return mock;
}

async function connect(row: Row, mock: LLMock, key = KEY): Promise<ResolvedModel> {
  // It lists the models that it has an answer for.
  mock.on({ model: row.model, userMessage: "never said" }, { content: "" });
  const url = `${await mock.start()}${row.path}`;
  const conf = `protocol=${row.protocol}\ndescription=Mock\nurl=${url}\nmodel=${row.model}\nauth_env=MOCK_KEY\n`;
  const { vendor, problems } = readConf("mock", conf, "mock.conf");
  expect(problems).toEqual([]);
  const all = vendor ? [vendor] : [];
  const resolved = await resolveModel({
    provider: "mock",
    model: row.model,
    env: { MOCK_KEY: key },
    clock: impatient,
    random: () => 0,
    registry: { all, problems: [], of: () => vendor },
  });
  if ("problem" in resolved) throw new Error(resolved.problem);
  return resolved;
}

async function ask(row: Row, mock: LLMock, fields: Partial<ModelRequest> = {}): Promise<ModelEvent[]> {
  const { provider, model } = await connect(row, mock);
  return talk(provider, { model, ...fields });
}

const ls = { name: "ls", description: "Lists.", inputSchema: { type: "object", properties: {} } };
const saysHello = { role: "user", content: [{ type: "text", text: "hello" }] } satisfies ModelMessage;
const partsOf = (events: ModelEvent[]) => endEvent(events).parts;

type SeenRequest = {
  model: string;
  max_tokens?: number;
  messages: {
    role: string;
    content: unknown;
    tool_call_id?: string;
    tool_calls?: { id: string; function: { name: string; arguments: string } }[];
  }[];
  tools?: { function: { name: string; description?: string; parameters?: object } }[];
};

/** The request as aimock reads it: it turns requests of every API into chat completions. */
function readingOf(seen: SeenRequest): string[] {
  return seen.messages.flatMap(({ role, content, tool_calls: calls = [] }) => [
    ...(content === null || content === "" ? [] : [`${role}: ${content}`]),
    ...calls.map((call) => `calls ${call.function.name} ${call.function.arguments}`),
  ]);
}

describe.each(rows)("aimock, as $protocol", (row) => {
  it("streams text in pieces, with counts", async () => {
    const counts =
      row.protocol === "openai" ? ["prompt_tokens", "completion_tokens"] : ["input_tokens", "output_tokens"];
    const usage = { [counts[0] ?? ""]: 120, [counts[1] ?? ""]: 45 };
    const events = await ask(
      row,
      script((mock) => mock.onMessage("hello", { content: TEXT, usage })),
    );
    expect(joinDeltas(events, "text")).toBe(TEXT);
    const end = endEvent(events);
    expect(end.stop).toBe("end");
    expect(end.parts.filter((part) => part.type !== "thinking")).toEqual([{ type: "text", text: TEXT }]);
    if (row.counts) expect(end.usage).toMatchObject({ inputTokens: 120, outputTokens: 45 });
    else expect(end.usage).toEqual({ outputTokens: 0 });
  });

  it("streams parallel calls with their arguments in pieces", async () => {
    const toolCalls = [
      { name: "write", arguments: JSON.stringify(ARGS) },
      { name: "ls", arguments: "{}" },
    ];
    const events = await ask(
      row,
      script((mock) => mock.onMessage("hello", { toolCalls })),
      { tools: [ls] },
    );
    const calls = partsOf(events).filter((part) => part.type === "tool_call");
    expect(calls).toMatchObject([
      { name: "write", input: ARGS },
      { name: "ls", input: {} },
    ]);
    expect(new Set(calls.map((call) => call.toolCallId)).size).toBe(2);
    expect(joinDeltas(events, "tool_input")).toBe(`${JSON.stringify(ARGS)}{}`);
    expect(endEvent(events).stop).toBe("tool_calls");
  });

  it("streams thinking, with the data to send back", async () => {
    const thinks = { content: "Four.", reasoning: "Two and two 🤔.", reasoningSignature: "signed-by-aimock" };
    const events = await ask(
      row,
      script((mock) => mock.onMessage("hello", thinks)),
      { effort: "high" },
    );
    const thought = row.thought && { type: "thinking", text: thinks.reasoning, ...row.thought };
    expect(partsOf(events)).toMatchObject([...(thought ? [thought] : []), { type: "text", text: "Four." }]);
    expect(joinDeltas(events, "thinking")).toBe(thought ? thinks.reasoning : "");
  });

  it("streams a call before the text, and the end at the output limit", async () => {
    const call = { type: "toolCall" as const, name: "ls", arguments: '{"path":"a"}' };
    const mock = script((each) => {
      each.onMessage("hello", { blocks: [call, { type: "text", text: "Look." }, { ...call, arguments: "{}" }] });
      each.onMessage("go on", { content: "half a", finishReason: "length" });
    });
    const { provider, model } = await connect(row, mock);
    const parts = partsOf(await talk(provider, { model, tools: [ls] })).filter((part) => part.type !== "thinking");
    const types = row.ordered ? ["tool_call", "text", "tool_call"] : ["text", "tool_call", "tool_call"];
    expect(parts.map((part) => part.type)).toEqual(types);
    const goOn = { role: "user", content: [{ type: "text", text: "go on" }] } satisfies ModelMessage;
    const said = { role: "assistant", parts: [{ type: "text", text: "ok" }] } satisfies ModelMessage;
    const events = await talk(provider, { model, messages: [saysHello, said, goOn] });
    expect(joinDeltas(events, "text")).toBe("half a");
    expect(endEvent(events).stop).toBe(row.saysLength ? "length" : "end");
  });

  it("receives our conversation in its own terms", async () => {
    let seen: SeenRequest | undefined;
    const keep = (request: unknown) => {
      seen = request as SeenRequest;
      return true;
    };
    const mock = script((each) => each.on({ predicate: keep }, { content: "ok" }));
    const messages: ModelMessage[] = [
      saysHello,
      {
        role: "assistant",
        parts: [
          { type: "text", text: "Look 👀." },
          { type: "tool_call", toolCallId: "call_a", name: "ls", input: { path: "a" } },
          { type: "tool_call", toolCallId: "call_b", name: "ls", input: {} },
        ],
      },
      { role: "tool", toolCallId: "call_a", name: "ls", text: "one", isError: false },
      { role: "tool", toolCallId: "call_b", name: "ls", text: "no such folder", isError: true },
    ];
    const events = await ask(row, mock, { messages, tools: [ls], maxOutputTokens: 999 });
    expect(joinDeltas(events, "text")).toBe("ok");
    expect(seen && readingOf(seen)).toEqual([
      "system: You help.",
      "user: hello",
      "assistant: Look 👀.",
      'calls ls {"path":"a"}',
      "calls ls {}",
      "tool: one",
      "tool: no such folder",
    ]);
    expect(seen).toMatchObject({ model: row.model, max_tokens: 999 });
    expect(seen?.tools?.map((tool) => tool.function)).toMatchObject([
      { name: "ls", description: "Lists.", parameters: ls.inputSchema },
    ]);
    const answered = seen?.messages.flatMap((message) => message.tool_call_id ?? []);
    expect(answered).toEqual(row.ids ? ["call_a", "call_b"] : []);
    expect(seen?.messages.flatMap(({ tool_calls: calls = [] }) => calls.map(({ id }) => id))).toEqual(
      row.ids ? answered : ["call_0", "call_1"],
    );
  });

  it("accepts its thinking back with the result of its call", async () => {
    const toolCalls = [{ name: "ls", arguments: "{}", id: "call_a" }];
    const mock = script((each) => {
      each.on({ hasToolResult: true, toolResultContains: "one" }, { content: "Done." });
      each.on(
        { hasToolResult: false },
        { toolCalls, reasoning: "I must look.", reasoningSignature: "signed-by-aimock" },
      );
    });
    const { provider, model } = await connect(row, mock);
    const asked = { model, tools: [ls], effort: "high" };
    const parts = partsOf(await talk(provider, asked));
    const [call] = parts.filter((part) => part.type === "tool_call");
    const result = {
      role: "tool",
      toolCallId: call?.toolCallId ?? "",
      name: "ls",
      text: "one",
      isError: false,
    } as const;
    const reply = { role: "assistant", parts, provider: "mock", model } as const;
    const events = await talk(provider, { ...asked, messages: [saysHello, reply, result] });
    expect(joinDeltas(events, "text")).toBe("Done.");
  });
});

describe.each(rows)("aimock in trouble, as $protocol", (row) => {
  const retries = (events: ModelEvent[]) => events.filter((event) => event.type === "retry");

  const writing = { content: "I write.", toolCalls: [{ name: "write", arguments: JSON.stringify(ARGS) }] };
  /** In the middle of the arguments; Ollama sends them whole, before its last chunk. */
  const inArguments = { latency: 1, truncateAfterChunks: row.protocol === "ollama" ? 3 : 12 };

  it.each([
    ["breaks off in the text", { content: TEXT }, { latency: 1, truncateAfterChunks: 8 }],
    ["breaks off in arguments", writing, inArguments],
  ])("%s, is retried, and nothing is duplicated", async (_name, response, broken) => {
    const mock = script((each) => {
      each.on({ userMessage: "hello", sequenceIndex: 0 }, response, broken);
      each.on({ userMessage: "hello", sequenceIndex: 1 }, response);
    });
    const events = await ask(row, mock, { tools: [ls] });
    expect(retries(events)).toMatchObject([{ attempt: 2, failure: { kind: "network" } }]);
    const parts = partsOf(events).filter((part) => part.type !== "thinking");
    expect(parts[0]).toEqual({ type: "text", text: response.content });
    expect(parts.slice(1)).toMatchObject("toolCalls" in response ? [{ name: "write", input: ARGS }] : []);
    expect(joinDeltas(events, "text")).toBe(response.content);
  });

  it("never causes a call to be emitted from a stream that always breaks", async () => {
    const mock = script((each) => each.onMessage("hello", writing, inArguments));
    const failed = failedEvent(await ask(row, mock));
    expect(failed.failure).toMatchObject({ kind: "network", message: expect.stringContaining("Tried 5 times.") });
    expect((failed.parts ?? []).filter((part) => part.type === "tool_call")).toEqual([]);
    expect(mock.getRequests().filter(({ path }) => path === row.path)).toHaveLength(5);
  });

  it.each([
    ["drops requests with 500", { dropRate: 1 }, "Chaos: request dropped"],
    ["closes connections without a word", { disconnectRate: 1 }, "broke before the reply was complete"],
    ["answers without JSON", { malformedRate: 1 }, "broke before the reply was complete"],
  ])("%s: five attempts, then an error", async (_name, chaos, words) => {
    const mock = script((each) => each.onMessage("hello", { content: "never" }, { chaos }));
    const events = await ask(row, mock);
    expect(retries(events)).toHaveLength(4);
    expect(failedEvent(events).failure).toMatchObject({ kind: "network", message: expect.stringContaining(words) });
  });

  it("limits the request rate, and its Retry-After is observed", async () => {
    const mock = script((each) => {
      const error = { message: "Slow down", type: "rate_limit_error" };
      each.on({ userMessage: "hello", sequenceIndex: 0 }, { error, status: 429, retryAfter: ASKED_MS / 1000 });
      each.on({ userMessage: "hello", sequenceIndex: 1 }, { content: "ok" });
    });
    const events = await ask(row, mock);
    expect(retries(events)).toMatchObject([{ delayMs: ASKED_MS, failure: { kind: "rateLimit" } }]);
    expect(joinDeltas(events, "text")).toBe("ok");
  });

  it("refuses a conversation that is too long, which is reported at once", async () => {
    const error = { message: "This model's maximum context length is 8192 tokens.", code: "context_length_exceeded" };
    const mock = script((each) => each.onMessage("hello", { error, status: 400 }));
    const events = await ask(row, mock);
    expect(retries(events)).toEqual([]);
    expect(failedEvent(events).failure.kind).toBe("overflow");
  });

  it("refuses the key, which is reported at once without the key", async () => {
    const mock = script((each) => each.onMessage("hello", { content: "never" }));
    const { provider, model } = await connect(row, mock, "sk-wrong-0123456789");
    const events = await talk(provider, { model });
    expect(retries(events)).toEqual([]);
    const { failure } = failedEvent(events);
    expect(failure.kind).toBe("auth");
    expect(failure.message).toContain("MOCK_KEY");
    expect(failure.message).not.toContain("sk-wrong");
  });
});

describe("aimock as a validator", () => {
  it("refuses thinking that comes back unsigned, so accepted thinking was signed", async () => {
    const mock = script((each) => each.onMessage("hello", { content: "ok" }));
    const url = await mock.start();
    const call = { type: "tool_use", id: "a", name: "ls", input: {} };
    const sent = (signature: string) =>
      fetch(`${url}/v1/messages`, {
        method: "POST",
        headers: { "x-api-key": KEY, "content-type": "application/json" },
        body: JSON.stringify({
          model: "claude-sonnet-4-5",
          max_tokens: 9_000,
          thinking: { type: "enabled", budget_tokens: 4_096 },
          messages: [
            { role: "user", content: "hello" },
            { role: "assistant", content: [{ type: "thinking", thinking: "hm", signature }, call] },
            { role: "user", content: [{ type: "tool_result", tool_use_id: "a", content: "one" }] },
          ],
        }),
      });
    expect((await sent("")).status).toBe(400);
    expect((await sent("signed")).status).toBe(200);
  });
});

describe("aimock as a local server", () => {
  it.each([
    ["ollama", "OLLAMA_HOST"],
    ["llamacpp", "LLAMACPP_URL"],
    ["vllm", "VLLM_URL"],
    ["lmstudio", "LMSTUDIO_URL"],
  ])("is found by its address and used without a known context window: %s", async (provider, variable) => {
    const mock = new LLMock({ chunkSize: 4 });
    mocks.push(mock);
    mock.on({ model: "local-model" }, { content: TEXT });
    const env = { [variable]: await mock.start() };
    const resolved = await resolveModel({ provider, env, clock: realClock, random: () => 0 });
    if ("problem" in resolved) throw new Error(resolved.problem);
    expect(resolved).toMatchObject({ model: "local-model", contextWindow: { tokens: 8_192, source: "assumed" } });
    expect(joinDeltas(await talk(resolved.provider, { model: resolved.model }), "text")).toBe(TEXT);
    expect(builtInVendors.of(provider)?.local).toBe(true);
  });
});
