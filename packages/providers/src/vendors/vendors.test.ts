import { startModelServer, talk, turns } from "@harness/testkit";
import { describe, expect, it } from "vitest";
import { realClock } from "../../test/clocks.ts";
import { createProvider } from "../../test/create-provider.ts";
import { vendorOf } from "../../test/vendor-of.ts";
import { vendors } from "./vendors.ts";

describe("the table of vendors", () => {
  it.each(vendors.filter(({ local }) => local))("has advice for a larger context window of $id", (vendor) => {
    expect(vendor.contextWindowAdvice).toMatch(/\.$/);
  });

  it.each<[string, boolean]>([
    ["gpt-5.6", true],
    ["gpt-7-nova", true],
    ["o4-mini", true],
    ["codex-mini-latest", true],
    ["gpt-4.1", false],
    ["gpt-4o-mini", false],
    ["gpt-3.5-turbo", false],
    ["chatgpt-4o-latest", false],
    ["ft:gpt-4.1-mini:us::x", false],
  ])("sets how OpenAI models think: %s: %s", (model, doesThink) => {
    expect(vendorOf("openai")?.quirks.thinkingModels?.test(model)).toBe(doesThink);
  });

  it.each([
    ["anthropic", ["interleaved-thinking-2025-05-14"]],
    ["claude", ["oauth-2025-04-20", "interleaved-thinking-2025-05-14"]],
  ])("lets models of %s think between calls", async (id, betas) => {
    const vendor = vendorOf(id);
    if (!vendor) throw new Error(id);
    const server = await startModelServer({ flavour: "anthropic", scenario: { turns: [turns.say("ok")] } });
    const provider = createProvider(vendor, { baseUrl: server.baseUrl, key: "k", clock: realClock, random: () => 0 });
    await talk(provider);
    expect(server.chatRequests[0]?.headers["anthropic-beta"]).toBe(betas.join(","));
    await server.close();
  });
});
