import type { ModelMessage } from "@harness/core";
import type { AgentPart, ToolCallPart } from "@harness/protocol";
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
import { realClock } from "../test/clocks.ts";
import { createProvider } from "../test/create-provider.ts";
import { vendorOf } from "../test/vendor-of.ts";
import type { Vendor } from "./wires/endpoint/vendor.ts";

// The effects of faults on a conversation, by their row in the fault matrix: it stays whole, and goes on.

const servers: ModelServer[] = [];

afterEach(async () => {
  await Promise.all(servers.splice(0).map((server) => server.close()));
});

type Flavour = "openai" | "anthropic" | "ollama";
type Row = { api: string; flavour: Flavour; vendor: Vendor };

function known(id: Flavour): Vendor {
  const vendor = vendorOf(id);
  if (!vendor) throw new Error(id);
  return vendor;
}

const { apiElsewhere: _, ...responses } = known("openai");

const rows: readonly Row[] = [
  { api: "chat completions", flavour: "openai", vendor: known("openai") },
  { api: "responses", flavour: "openai", vendor: responses },
  { api: "messages", flavour: "anthropic", vendor: known("anthropic") },
  { api: "Ollama", flavour: "ollama", vendor: known("ollama") },
];

async function start({ flavour }: Row, played: TurnInput[], port = 0): Promise<ModelServer> {
  const server = await startModelServer({ flavour, port, scenario: { turns: played } });
  servers.push(server);
  return server;
}

function connect({ vendor }: Row, server: ModelServer) {
  const baseUrl = vendor.api === "ollama" ? server.url : server.baseUrl;
  return createProvider(vendor, { baseUrl, key: "sk-test-0123456789", clock: realClock, random: () => 0 });
}

const says = (text: string): ModelMessage => ({ role: "user", content: [{ type: "text", text }] });
const ls = { name: "ls", description: "Lists.", inputSchema: { type: "object", properties: {} } };
const callsIn = (parts: readonly AgentPart[]): ToolCallPart[] => parts.filter((part) => part.type === "tool_call");

function answers(parts: readonly AgentPart[]): ModelMessage[] {
  return callsIn(parts).map(({ toolCallId, name }, place) => ({
    role: "tool",
    toolCallId,
    name,
    text: `result ${place}`,
    isError: false,
  }));
}

describe.each(rows)("row 1: a server that does not run, as $api", (row) => {
  it("is tried once and named; when it runs, the conversation continues", async () => {
    const stopped = await start(row, []);
    const provider = connect(row, stopped);
    await stopped.close();
    const events = await talk(provider);
    expect(events).toHaveLength(1);
    const { failure } = failedEvent(events);
    expect(failure).toMatchObject({ kind: "network", message: expect.stringContaining(`127.0.0.1:${stopped.port}`) });
    await start(row, [turns.say("Here I am.")], stopped.port);
    expect(joinDeltas(await talk(provider), "text")).toBe("Here I am.");
  });
});

describe("row 12: a complaint about calls without results", () => {
  it.each([
    [
      "openai",
      "An assistant message with 'tool_calls' must be followed by tool messages responding to each 'tool_call_id'.",
    ],
    ["anthropic", "messages.2: `tool_use` ids were found without `tool_result` blocks immediately after: toolu_1."],
    ["anthropic", "messages.0.content.1: unexpected `tool_use_id` found in `tool_result` blocks: toolu_9."],
    ["openai", "No tool output found for function call call_1."],
  ] as const)("is shown in the server's words when there is nothing to repair: %s: %s", async (flavour, message) => {
    const row = { api: "", flavour, vendor: known(flavour) };
    const server = await start(row, [turns.fail({ kind: "status", status: 400, message, times: "always" })]);
    const { failure } = failedEvent(await talk(connect(row, server)));
    expect(failure.kind).toBe("badRequest");
    expect(failure.message).toContain(JSON.stringify(message));
    expect(server.chatRequests).toHaveLength(1);
  });
});

describe.each(rows)("row 26: ids of calls, as $api", (row) => {
  it("are replaced when they are missing, duplicated or 450 characters long, so that pairs stay together", async () => {
    const call = (id: string | null, path: string) => ({ name: "ls", arguments: { path }, id });
    const server = await start(row, [
      { toolCalls: [call(null, "a"), call("x".repeat(450), "b"), call("dup", "c"), call("dup", "d")] },
      { toolCalls: [call("dup", "d")] },
      turns.say("Done."),
    ]);
    const provider = connect(row, server);
    const messages: ModelMessage[] = [says("hello")];
    const seen: string[] = [];
    for (const paths of [["a", "b", "c", "d"], ["d"]]) {
      const { parts } = endEvent(await talk(provider, { messages, tools: [ls] }));
      expect(callsIn(parts).map(({ input }) => input)).toEqual(paths.map((path) => ({ path })));
      seen.push(...callsIn(parts).map(({ toolCallId }) => toolCallId));
      messages.push({ role: "assistant", parts, provider: provider.id, model: "scripted-model" }, ...answers(parts));
    }
    expect(new Set(seen).size).toBe(5);
    for (const id of seen) expect(id).toMatch(/^.{1,64}$/);
    expect(joinDeltas(await talk(provider, { messages, tools: [ls] }), "text")).toBe("Done.");
    expect(server.problems).toEqual([]);
    const body = JSON.stringify(server.chatRequests.at(-1)?.body);
    const order = [...body.matchAll(/result \d/g)].map(([text]) => text);
    expect(order).toEqual(["result 0", "result 1", "result 2", "result 3", "result 0"]);
  });
});

describe.each(rows)("row 29: half a character, as $api", (row) => {
  it("is sent as U+FFFD, wherever it is", async () => {
    const server = await start(row, [turns.say("ok")]);
    const half = "x\ud83d";
    // Ollama itself reads the escape of a half as U+FFFD, as all of Go's JSON does; texts reach the others twice encoded.
    const input = row.api === "Ollama" ? { path: "x\ufffd", deep: ["x\ufffd"] } : { path: half, deep: [half] };
    const call = { type: "tool_call", toolCallId: "call_1", name: "ls", input } as const;
    const parts: AgentPart[] = [{ type: "text", text: half }, call];
    const messages: ModelMessage[] = [
      says(half),
      { role: "assistant", parts },
      { role: "tool", toolCallId: "call_1", name: "ls", text: half, isError: true },
    ];
    const end = endEvent(await talk(connect(row, server), { system: half, messages, tools: [ls] }));
    expect(end.stop).toBe("end");
    const body = JSON.stringify(server.chatRequests[0]?.body);
    expect(body).not.toMatch(/ud83d/i);
    expect(body.split("x\ufffd")).toHaveLength(7);
  });
});
