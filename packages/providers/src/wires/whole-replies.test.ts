// Streaming is turned off by the user, or by a provider's file: the same replies, each in one piece.
import { type ModelServer, startModelServer, talk, turns } from "@harness/testkit";
import { afterEach, describe, expect, it } from "vitest";
import { realClock } from "../../test/clocks.ts";
import { providerAt } from "../../test/create-provider.ts";
import { vendorOf } from "../../test/vendor-of.ts";
import { locate } from "../vendors/locate.ts";
import type { Vendor } from "./endpoint/vendor.ts";

let server: ModelServer | undefined;
afterEach(async () => {
  await server?.close();
});

const known = (id: string): Vendor => {
  const vendor = vendorOf(id);
  if (!vendor) throw new Error(id);
  return vendor;
};
const { apiElsewhere: _, ...openai } = known("openai");

describe.each([
  ["chat completions", "openai", known("openai")],
  ["responses", "openai", { ...openai, api: "openai-responses" }],
  ["messages", "anthropic", known("anthropic")],
  ["Ollama", "ollama", known("ollama")],
] as const)("replies by %s that are not streamed", (_api, flavour, vendor) => {
  it("have their text, calls and counts, and are asked for as such", async () => {
    server = await startModelServer({
      flavour,
      scenario: { turns: [{ ...turns.call("read", { file_path: "a" }), text: "I look." }] },
    });
    const located = locate(vendor, { baseUrl: server.baseUrl, key: "sk-1234567890" });
    if (!located.ok) throw new Error(located.problem);
    const provider = providerAt({ ...located.endpoint, streams: false }, { clock: realClock, random: () => 0 });
    const end = (await talk(provider)).at(-1);
    expect(end?.type === "failed" ? end.failure.message : "").toBe("");
    expect(end).toMatchObject({ type: "end", stop: "tool_calls", usage: { outputTokens: expect.any(Number) } });
    const parts = end?.type === "end" ? end.parts : [];
    expect(parts).toContainEqual({ type: "text", text: "I look." });
    expect(parts.at(-1)).toMatchObject({ type: "tool_call", name: "read", input: { file_path: "a" } });
    const [asked] = server.chatRequests;
    expect(asked?.body).toMatchObject({ stream: false });
    expect(asked?.body).not.toHaveProperty("stream_options");
  });
});
