import type { ModelRequest, SentBody } from "@harness/core";
import { type Flavour, startModelServer, turns } from "@harness/testkit";
import { describe, expect, it } from "vitest";
import { realClock as clock } from "../../test/clocks.ts";
import { ModelResolver } from "./model-resolver.ts";

const image = { type: "image" as const, mimeType: "image/png", data: "AAAA" };
const request: ModelRequest = {
  model: "m",
  system: "You are an agent.",
  messages: [
    { role: "user", content: [{ type: "text", text: "Look: “ä” 🙂" }, image] },
    { role: "assistant", parts: [{ type: "tool_call", toolCallId: "call_1", name: "ls", input: { path: "." } }] },
    { role: "tool", toolCallId: "call_1", name: "ls", text: "a\nb", isError: false },
  ],
  tools: [{ name: "ls", description: "Lists.", inputSchema: { type: "object", properties: {} } }],
  contextWindow: 32_000,
  maxOutputTokens: 1_000,
  priority: "turn",
};

const rows: [Flavour, string][] = [
  ["vllm", "openai-chat"],
  ["openai", "openai-chat"],
  ["anthropic", "anthropic"],
  ["ollama", "ollama"],
];

describe("a request that is written again", () => {
  it.each(rows)("has the bytes that were sent to %s", async (flavour, _wire) => {
    const server = await startModelServer({
      flavour,
      scenario: { models: [{ id: "m" }], turns: [turns.say("Ready.", { repeat: "always" })] },
    });
    const env = { ...server.environment };
    const resolver = new ModelResolver({ clock, tablePath: "/nowhere/models.json", onWaiting: () => undefined });
    const choice = await resolver.resolve({ env, clock, provider: flavour, model: "m" });
    if ("problem" in choice) throw new Error(choice.problem);
    const sent: SentBody[] = [];
    const onSent = (body: SentBody) => void sent.push(body);
    for await (const _ of choice.provider.stream({ ...request, onSent }, new AbortController().signal)) void _;
    const asked = server.requests.length;
    const [first] = sent;
    const refused = first?.form?.refused ?? [];
    const { slot } = first?.form?.request ?? request;
    const toolMode = choice.toolMode ?? "native";
    const before = { provider: flavour, toolMode, refused, slot, withoutImages: flavour === "ollama" };
    const again = await resolver.write(request, before, { env, clock });
    expect(again).toEqual({ text: first?.body, fields: first?.form?.fields });
    expect(JSON.parse(first?.body ?? "")).toBeTypeOf("object");
    expect(server.requests.length).toBe(asked);
    await server.close();
  });

  it("needs the provider, and no server", async () => {
    const resolver = new ModelResolver({ clock, tablePath: "/nowhere/models.json", onWaiting: () => undefined });
    const how = { toolMode: "native" as const, refused: [], slot: undefined, withoutImages: false };
    const env = { VLLM_URL: "http://127.0.0.1:1" };
    expect(await resolver.write(request, { provider: "gone", ...how }, { env, clock })).toMatchObject({
      problem: expect.stringContaining('There is no provider "gone"'),
    });
    expect(await resolver.write(request, { provider: "vllm", ...how }, { env, clock })).toMatchObject({
      text: expect.stringContaining("You are an agent."),
    });
  });
});
