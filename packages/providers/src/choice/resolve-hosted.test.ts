import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import type { CapabilityRecord } from "@harness/protocol";
import { endEvent, failedEvent, type ModelServer, startModelServer, talk, turns } from "@harness/testkit";
import { afterEach, describe, expect, it, vi } from "vitest";
import { realClock } from "../../test/clocks.ts";
import type { Question } from "../../test/resolver.ts";
import { resolveModel } from "../../test/resolver.ts";
import { builtInTable } from "../models/model-table.ts";
import { endpointOf } from "../vendors/locate.ts";
import { builtInVendors, type VendorRegistry } from "../vendors/vendor-registry.ts";
import type { Vendor } from "../wires/endpoint/vendor.ts";
import { chooseModel } from "./choose-model.ts";
import { isGone } from "./model-names.ts";
import type { ResolvedModel, UnresolvedModel } from "./model-question.ts";
import { ProviderMemory } from "./provider-memory.ts";

const noServers = { OLLAMA_HOST: ":1", LLAMACPP_URL: "http://127.0.0.1:1", VLLM_URL: ":1", LMSTUDIO_URL: ":1" };
const keys = (...ids: string[]) => Object.fromEntries(ids.map((id) => [`${id.toUpperCase()}_API_KEY`, "k"]));
const login = { token: async () => ({ token: "t" }), renew: async () => false };

const servers: { close(): unknown }[] = [];
afterEach(async () => {
  await Promise.all(servers.splice(0).map((server) => server.close()));
});

function resolve(ask: Partial<Question>): Promise<ResolvedModel | UnresolvedModel> {
  return resolveModel({ clock: realClock, random: () => 0, ...ask, env: { ...noServers, ...ask.env } });
}

async function chosen(ask: Partial<Question>): Promise<string> {
  const resolved = await resolve(ask);
  return "problem" in resolved ? resolved.problem : `${resolved.vendor.id} ${resolved.model}`;
}

async function found(ask: Partial<Question>): Promise<ResolvedModel> {
  const resolved = await resolve(ask);
  if ("problem" in resolved) throw new Error(resolved.problem);
  return resolved;
}

describe("the choice of a hosted vendor", () => {
  it.each<[string, Partial<Question>, string]>([
    ["a short name", { model: "sonnet", env: keys("anthropic") }, "anthropic claude-sonnet-5-5"],
    [
      "a short name, of several the maker",
      { model: "opus", env: keys("anthropic", "openai") },
      "anthropic claude-opus-5-5",
    ],
    ["a model, of several its maker", { model: "gpt-5.5", env: keys("openai", "mistral") }, "openai gpt-5.5"],
    ["a maker by another name", { model: "google/gemini-x", env: keys("gemini", "openai") }, "gemini gemini-x"],
    ["a provider by another name", { provider: "Grok", env: keys("xai") }, "xai grok-4.7"],
    [
      "a short name that is none there",
      { provider: "chatgpt", model: "sonnet", logins: () => login },
      "chatgpt sonnet",
    ],
    ["a subscription, by its login", { provider: "claude", logins: () => login }, "claude claude-sonnet-5-5"],
    [
      "a subscription, where the maker cannot be used",
      { model: "haiku", env: keys("openai"), logins: (id) => (id === "claude" ? login : undefined) },
      "claude claude-haiku-4-5",
    ],
    ["nothing, with a login", { logins: (id) => (id === "chatgpt" ? login : undefined) }, "chatgpt gpt-5.5"],
    ["nothing, with key and login", { env: keys("mistral"), logins: () => login }, "mistral mistral-medium-latest"],
    ["a token in a variable", { provider: "chatgpt", env: { CHATGPT_ACCESS_TOKEN: "t" } }, "chatgpt gpt-5.5"],
    [
      "no login",
      { provider: "claude" },
      "Claude needs a login: run `harness auth login claude`, or set CLAUDE_ACCESS_TOKEN to a token.",
    ],
    ["one of two that did not make it", { model: "own-model", env: keys("xai", "groq") }, "groq and xai can be used"],
  ])("resolves %s", async (_name, ask, expected) => {
    expect(await chosen(ask)).toContain(expected);
  });
});

describe("the chosen model", () => {
  it("has price, context window and limits of the table at the vendor's own address", async () => {
    expect(await found({ provider: "anthropic", env: keys("anthropic") })).toMatchObject({
      price: { input: 2, output: 10, cacheRead: 0.1, cacheWrite: 2.5 },
      contextWindow: { tokens: 1_000_000, source: "table" },
      maxOutputTokens: 32_000,
      toolMode: "native",
    });
    const elsewhere = { ...keys("openai"), OPENAI_BASE_URL: "https://proxy.example/v1" };
    const proxied = await found({ provider: "openai", model: "gpt-4o", env: elsewhere });
    expect(proxied.contextWindow).toEqual({ tokens: 128_000, source: "table" });
    expect(proxied).not.toHaveProperty("price");
    expect(proxied).not.toHaveProperty("maxOutputTokens");
  });

  it.each([
    [5_000, "claude-sonnet-4-6", 5_000],
    [900_000, "claude-sonnet-4-6", 64_000],
    [undefined, "claude-unknown", 8_192],
    [undefined, "claude-haiku-4-5", 32_000],
  ])("limits replies to the setting (%s) and to the maximum of %s: %s", async (maxOutputTokens, model, expected) => {
    const choice = await found({ provider: "anthropic", model, maxOutputTokens, env: keys("anthropic") });
    expect(choice.maxOutputTokens).toBe(expected);
  });

  it("is offered tools in the way that was measured or that the server reports", async () => {
    const ask = { provider: "openai", model: "m", env: keys("openai") };
    expect((await found(ask)).toolMode).toBe("native");
    const record = { toolMode: "constrained" } as CapabilityRecord;
    const capabilities = (...key: string[]) =>
      key.join() === "openai,m,https://api.openai.com/v1" ? record : undefined;
    expect((await found({ ...ask, capabilities })).toolMode).toBe("constrained");
    const server = await startModelServer({
      flavour: "ollama",
      scenario: { models: [{ id: "old", capabilities: ["completion"] }] },
    });
    servers.push(server);
    const local = await found({ provider: "ollama", model: "old", env: { OLLAMA_HOST: server.url }, keepAlive: "2h" });
    expect(local).toMatchObject({
      toolMode: "prompted",
      price: { input: 0, output: 0 },
      contextWindowAdvice: expect.any(String),
    });
  });

  it("is found by the name without its size, when only one has it", async () => {
    const server = await startModelServer({
      flavour: "ollama",
      scenario: { models: [{ id: "qwen3:8b" }, { id: "maker/phi:3b" }] },
    });
    servers.push(server);
    const env = { OLLAMA_HOST: server.url };
    expect(await chosen({ provider: "ollama", model: "qwen3", env })).toBe("ollama qwen3:8b");
    expect(await chosen({ model: "phi", exact: true, env })).toBe("ollama maker/phi:3b");
  });
});

/** A registry in which a hosted vendor has its own address here. */
async function standIn(
  id: string,
  answer: (path: string) => [number, unknown],
): Promise<{ registry: VendorRegistry; asked: string[] }> {
  const asked: string[] = [];
  const server: Server = createServer((request, response) => {
    asked.push(`${request.method} ${request.url}`);
    const [status, body] = answer(request.url ?? "");
    response.writeHead(status, { "content-type": typeof body === "string" ? "text/event-stream" : "application/json" });
    response.end(typeof body === "string" ? body : JSON.stringify(body));
  });
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  servers.push({ close: () => server.close() });
  const { port } = server.address() as AddressInfo;
  const baseUrl = `http://127.0.0.1:${port}/v1`;
  const at = (vendor: Vendor): Vendor => (vendor.id === id ? { ...vendor, baseUrl } : vendor);
  const all = builtInVendors.all.map(at);
  return { asked, registry: { ...builtInVendors, all, of: (name) => all.find((each) => each.id === name) } };
}

describe("a hosted vendor", () => {
  const chunk = 'data: {"choices":[{"delta":{"content":"hi"},"finish_reason":"stop"}]}\n\ndata: [DONE]\n\n';

  it("lists prices, which are requested with the first model request", async () => {
    const list = { data: [{ id: "maker/m", pricing: { prompt: "0.000001", completion: "0.000002" } }] };
    const { registry, asked } = await standIn("openrouter", (path) =>
      path === "/v1/models" ? [200, list] : [200, chunk],
    );
    const vendor = registry.of("openrouter");
    const located = vendor && endpointOf(vendor, keys("openrouter"));
    if (!located?.ok) throw new Error("openrouter");
    const memory = new ProviderMemory(realClock);
    const ask = { env: keys("openrouter"), clock: realClock, memory, random: () => 0 };
    const choice = await chooseModel({ endpoint: { ...located.endpoint, near: false }, model: "maker/m" }, ask);
    expect([choice.price, asked]).toEqual([undefined, []]);
    expect(endEvent(await talk(choice.provider, { model: choice.model })).parts).toEqual([
      { type: "text", text: "hi" },
    ]);
    await vi.waitUntil(() => choice.price);
    expect(choice.price).toEqual({ input: 1, output: 2 });
    await talk(choice.provider, { model: choice.model });
    expect(asked.filter((each) => each === "GET /v1/models")).toHaveLength(1);
  });

  it("is asked for its models when it refuses one", async () => {
    const list = { data: [{ id: "other" }, { id: "model-large" }, { id: "embed-x" }] };
    const refusal = { error: { message: "The model `model-lrge` does not exist", code: "model_not_found" } };
    const { registry } = await standIn("groq", (path) => (path === "/v1/models" ? [200, list] : [404, refusal]));
    const choice = await found({ provider: "groq", model: "model-lrge", env: keys("groq"), registry });
    const { message } = failedEvent(await talk(choice.provider, { model: choice.model })).failure;
    expect(message).toContain('has no model "model-lrge"');
    expect(message).toMatch(/It has: model-large, other\.$/);
  });
});

describe("a saved model", () => {
  const vendor = builtInVendors.of("mistral");
  const located = vendor && endpointOf(vendor, keys("mistral"));
  if (!located?.ok) throw new Error("mistral");
  const { endpoint } = located;
  const models = [{ id: "kept-2512" }, { id: "free" }];
  it.each([
    ["something-else", true],
    ["kept-2512", false],
    ["kept", false],
    ["free:beta", false],
    ["codestral-latest", false],
  ])("%s is no longer used: %s", (model, gone) => {
    expect(isGone({ endpoint, reachable: true, models }, model, builtInTable)).toBe(gone);
    expect(isGone({ endpoint: { ...endpoint, usual: false }, reachable: true, models }, model, builtInTable)).toBe(
      false,
    );
    expect(isGone({ endpoint, reachable: true, models: [] }, model, builtInTable)).toBe(false);
    expect(isGone({ endpoint, reachable: false, problem: "x" }, model, builtInTable)).toBe(false);
  });
});

describe("the plain option", () => {
  it("leaves replies as they are, without repairs", async () => {
    const text = '<tool_call>{"name":"ls","arguments":{}}</tool_call>';
    const server: ModelServer = await startModelServer({
      flavour: "vllm",
      scenario: { models: [{ id: "m" }], turns: [turns.say(text, { repeat: "always" })] },
    });
    servers.push(server);
    const choice = await found({ provider: "vllm", env: { VLLM_URL: server.url } });
    const tools = [{ name: "ls", description: "Lists.", inputSchema: { type: "object", properties: {} } }];
    expect(endEvent(await talk(choice.plain, { model: "m", tools })).parts).toEqual([{ type: "text", text }]);
    const events = await talk(choice.provider, { model: "m", tools });
    expect(endEvent(events)).toMatchObject({
      stop: "tool_calls",
      parts: [{ type: "tool_call", name: "ls", foundInText: true }],
    });
    expect(events.some((event) => event.type === "repair")).toBe(true);
  });
});
