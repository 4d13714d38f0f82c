import { LLMock } from "@copilotkit/aimock";
import type { ModelMessage, Provider } from "@harness/core";
import {
  endEvent,
  failedEvent,
  joinDeltas,
  type ModelServer,
  startModelServer,
  type TurnInput,
  talk,
  turns,
} from "@harness/testkit";
import { afterEach, describe, expect, it } from "vitest";
import { InstantClock, realClock } from "../../../test/clocks.ts";
import { asList, asRecord } from "../../json/lenient-json.ts";
import { locate } from "../../vendors/locate.ts";
import { vendors } from "../../vendors/vendors.ts";
import { createWireProvider } from "../create-wire-provider.ts";
import type { Vendor } from "../endpoint/vendor.ts";
import { withRetry } from "../retry/retry.ts";
import { anthropicMessages } from "./anthropic-messages.ts";

const servers: ModelServer[] = [];
let independent: LLMock | undefined;

afterEach(async () => {
  await Promise.all(servers.splice(0).map((server) => server.close()));
  await independent?.stop();
  independent = undefined;
});

const found = vendors.find(({ id }) => id === "anthropic");
if (!found) throw new Error("there is no row for Anthropic");
const row: Vendor = { ...found, quirks: { ...found.quirks, thinkingBudgetFor: ["old-"] } };

/** Waits between attempts pass at once; those for the server do not. */
function connect(baseUrl: string): { provider: Provider; clock: InstantClock } {
  const clock = new InstantClock("2026-11-21T10:00:00Z");
  const located = locate(row, { baseUrl, key: "sk-k" });
  if (!located.ok) throw new Error(located.problem);
  const inner = createWireProvider(anthropicMessages, located.endpoint, { clock: realClock, random: () => 0 });
  return { provider: withRetry(inner, { clock, random: () => 0 }), clock };
}

async function serve(...played: TurnInput[]) {
  const server = await startModelServer({ flavour: "anthropic", scenario: { turns: played } });
  servers.push(server);
  const bodies = () => server.chatRequests.map((record) => asRecord(record.body));
  return { server, bodies, ...connect(server.baseUrl) };
}

const says = (text: string): ModelMessage => ({ role: "user", content: [{ type: "text", text }] });
const tools = [{ name: "ls", description: "Lists.", inputSchema: { type: "object", properties: {} } }];

describe("a strict Anthropic server", () => {
  it("accepts any history", async () => {
    const image = { type: "image" as const, mimeType: "image/png", data: "aGk=" };
    const { server, provider } = await serve(turns.say("ok"), turns.say("ok"));
    const messages: ModelMessage[] = [
      { role: "assistant", parts: [{ type: "text", text: "Before all." }] },
      { role: "user", content: [{ type: "text", text: "a\ud800" }, { type: "text", text: "" }, image] },
      { role: "assistant", parts: [{ type: "thinking", text: "only thought" }] },
      { role: "assistant", parts: [] },
      {
        role: "assistant",
        parts: [
          { type: "thinking", text: "foreign", signature: "of another", vendorData: { field: "reasoning" } },
          { type: "text", text: " " },
          { type: "tool_call", toolCallId: "functions.read:0", name: "Read File!", input: { path: "x\udc00" } },
          { type: "tool_call", toolCallId: "2", name: "", inputText: '{"half":' },
        ],
        provider: "openrouter",
        model: "m",
      },
      { role: "tool", toolCallId: "functions.read:0", name: "read", text: "", images: [image], isError: true },
      says("meanwhile"),
      { role: "tool", toolCallId: "2", name: "", text: "not JSON", isError: true },
    ];
    endEvent(await talk(provider, { messages, system: "", tools, effort: "low" }));
    endEvent(await talk(provider, { messages, effort: "low", model: "old-1", temperature: 0.1 }));
    expect(server.problems).toEqual([]);
  });

  it.each(["new-1", "old-1"])("gets the thinking of %s back, and no other model does", async (model) => {
    const played: TurnInput = {
      thinking: "Let me see 🤔.",
      redactedThinking: "secret",
      toolCalls: [{ name: "ls", arguments: {} }],
    };
    const { server, provider, bodies } = await serve(played, turns.say("a"), turns.say("b"));
    const first = endEvent(await talk(provider, { model, tools, effort: "high" }));
    const call = first.parts.find((part) => part.type === "tool_call");
    if (!call) throw new Error("no call");
    const messages: ModelMessage[] = [
      says("go"),
      { role: "assistant", parts: first.parts, provider: "anthropic", model },
      { role: "tool", toolCallId: call.toolCallId, name: "ls", text: "x", isError: false },
    ];
    endEvent(await talk(provider, { model, messages, tools, effort: "high" }));
    endEvent(await talk(provider, { model: `${model}-b`, messages, tools, effort: "high" }));
    expect(server.problems).toEqual([]);
    const [, own, foreign] = bodies().map((body) => asList(asRecord(asList(body.messages)[1]).content).map(asRecord));
    expect(own?.map(({ type }) => type).sort()).toEqual(["redacted_thinking", "thinking", "tool_use"]);
    expect(own?.find(({ type }) => type === "thinking")).toMatchObject({ thinking: "Let me see 🤔." });
    expect(foreign?.map(({ type }) => type)).toEqual(["tool_use"]);
    // Only a model that decides for itself may begin to think here.
    expect("thinking" in (bodies()[2] ?? {})).toBe(model === "new-1");
  });

  it("gets a second request without an unsupported field, and never that field again", async () => {
    const refusal = '"thinking.type.adaptive" is not supported for this model.';
    const fault = { kind: "status", status: 400, message: refusal } as const;
    const { provider, bodies } = await serve({ text: "a", fault }, turns.say("b"));
    expect(joinDeltas(await talk(provider, { effort: "low" }), "text")).toBe("a");
    expect(joinDeltas(await talk(provider, { effort: "low" }), "text")).toBe("b");
    expect(bodies().map((body) => "thinking" in body)).toEqual([true, false, false]);
    expect(bodies()[2]?.output_config).toEqual({ effort: "low" });
  });

  it("is retried after its own delay when it is overloaded", async () => {
    const fault = { kind: "status", status: 529, retryAfter: 7 } as const;
    const { provider, clock } = await serve({ text: "a", fault });
    const events = await talk(provider);
    expect(endEvent(events).parts).toEqual([{ type: "text", text: "a" }]);
    expect(events[0]).toMatchObject({ type: "retry", delayMs: 7_000, failure: { kind: "network" } });
    expect(clock.slept).toContain(7_000);
  });

  it.each([
    ["Your credit balance is too low to access the Anthropic API.", 400, "auth"],
    ["prompt is too long: 213462 tokens > 200000 maximum", 400, "overflow"],
    ["Request exceeds the maximum size", 413, "overflow"],
    ["model: claude-0", 404, "badRequest"],
    ["invalid x-api-key", 401, "auth"],
  ])("gets one request when it answers %j", async (message, status, kind) => {
    const { server, provider } = await serve(turns.fail({ kind: "status", status, message, times: "always" }));
    expect(failedEvent(await talk(provider)).failure.kind).toBe(kind);
    expect(server.chatRequests).toHaveLength(1);
  });
});

describe("an independent Anthropic server", () => {
  it("is read: thinking with its signature, text, calls, counts", async () => {
    independent = new LLMock({ port: 0 });
    independent.onMessage("hello", {
      content: "Größe 🎉",
      toolCalls: [
        { name: "ls", arguments: '{"path":"/tmp"}' },
        { name: "pwd", arguments: "{}" },
      ],
      reasoning: "Let me see.",
      reasoningSignature: "c2lnbmVk",
      redactedThinking: ["Emw="],
    });
    await independent.start();
    const { provider } = connect(independent.url);
    const events = await talk(provider, { tools, effort: "low" });
    const end = endEvent(events);
    expect(end.stop).toBe("tool_calls");
    expect(end.parts).toContainEqual({ type: "thinking", text: "Let me see.", signature: "c2lnbmVk" });
    expect(end.parts).toContainEqual({ type: "text", text: "Größe 🎉" });
    expect(end.parts.filter((part) => part.type === "tool_call")).toMatchObject([
      { name: "ls", input: { path: "/tmp" } },
      { name: "pwd", input: {} },
    ]);
    expect(end.parts).toContainEqual({
      type: "thinking",
      text: "",
      vendorData: { type: "redacted_thinking", data: "Emw=" },
    });
    expect(end.usage).toMatchObject({ inputTokens: expect.any(Number), outputTokens: expect.any(Number) });
    expect(joinDeltas(events, "thinking")).toBe("Let me see.");
  });
});
