import { type Flavour, type ModelServer, type ScenarioInput, startModelServer } from "@harness/testkit";
import { afterEach, describe, expect, it } from "vitest";
import { realClock } from "../../test/clocks.ts";
import { vendorOf } from "../../test/vendor-of.ts";
import { knownContextWindow } from "../models/model-table.ts";
import { endpointOf } from "../vendors/locate.ts";
import { servingOf } from "./context-windows.ts";

const servers: ModelServer[] = [];

afterEach(async () => {
  await Promise.all(servers.splice(0).map((server) => server.close()));
});

type Models = NonNullable<ScenarioInput["models"]>;

async function serving(id: string, flavour: Flavour, models: Models) {
  const server = await startModelServer({ flavour, scenario: { models } });
  servers.push(server);
  const vendor = vendorOf(id);
  const baseUrl = flavour === "ollama" ? server.url : server.baseUrl;
  const located = vendor && endpointOf(vendor, { [vendor.baseUrlEnv]: baseUrl });
  if (!located?.ok) throw new Error(id);
  return { server, endpoint: located.endpoint };
}

async function window(id: string, flavour: Flavour, models: Models, model: string, limit?: number) {
  const { server, endpoint } = await serving(id, flavour, models);
  const question = { endpoint, model, limit };
  return { found: (await servingOf(question, realClock)).contextWindow, server };
}

describe("the context window of a local server", () => {
  it.each<[string, string, Flavour, Models[number], number, string]>([
    ["what is loaded", "ollama", "ollama", { id: "m", loaded: true, contextTokens: 32_768 }, 32_768, "server"],
    ["the Modelfile", "ollama", "ollama", { id: "m", parameters: "stop x\nnum_ctx   16384" }, 16_384, "server"],
    ["a small Modelfile", "ollama", "ollama", { id: "m", parameters: "num_ctx 4096" }, 4_096, "server"],
    ["enough to work with", "ollama", "ollama", { id: "m" }, 8_192, "server"],
    [
      "more than a useless default",
      "ollama",
      "ollama",
      { id: "m", loaded: true, contextTokens: 4_096 },
      8_192,
      "server",
    ],
    ["no more than the model has", "ollama", "ollama", { id: "m", trainedTokens: 2_048 }, 2_048, "server"],
    ["one slot", "llamacpp", "llamacpp", { id: "m", contextTokens: 12_288, slots: 4 }, 12_288, "server"],
    ["what is loaded", "lmstudio", "lmstudio", { id: "m", loaded: true, contextTokens: 20_000 }, 20_000, "server"],
    ["a guess, when nothing is", "lmstudio", "lmstudio", { id: "m", loaded: false }, 8_192, "assumed"],
    ["its longest request", "vllm", "vllm", { id: "m", contextTokens: 40_960 }, 40_960, "server"],
    ["the same, behind OPENAI_BASE_URL", "openai", "vllm", { id: "m", contextTokens: 40_960 }, 40_960, "server"],
    ["that of llama.cpp behind it", "openai", "llamacpp", { id: "m", contextTokens: 6_000 }, 6_000, "server"],
    ["the table, behind a proxy", "openai", "openai", { id: "gpt-4o" }, 128_000, "table"],
    ["a guess, behind a proxy", "openai", "openai", { id: "m" }, 8_192, "assumed"],
  ])("is %s: %s as %s", async (_name, id, flavour, model, tokens, source) => {
    const { found } = await window(id, flavour, [model], model.id);
    expect(found).toEqual({ tokens, source });
  });

  it.each<[string, string, Flavour, Models[number], number, string]>([
    ["what the person says", "ollama", "ollama", { id: "m", loaded: true, contextTokens: 32_768 }, 16_000, "setting"],
    ["that also against the Modelfile", "ollama", "ollama", { id: "m", parameters: "num_ctx 4096" }, 16_000, "setting"],
    ["no more than the model has", "ollama", "ollama", { id: "m", trainedTokens: 8_000 }, 8_000, "server"],
    ["no more than the server has", "llamacpp", "llamacpp", { id: "m", contextTokens: 6_000 }, 6_000, "server"],
    ["less than the server has", "llamacpp", "llamacpp", { id: "m", contextTokens: 40_000 }, 16_000, "setting"],
    ["a wish, where nothing is loaded", "lmstudio", "lmstudio", { id: "m", loaded: false }, 16_000, "setting"],
  ])("with a context_limit is %s: %s as %s", async (_name, id, flavour, model, tokens, source) => {
    const { found } = await window(id, flavour, [model], model.id, 16_000);
    expect(found).toEqual({ tokens, source });
  });

  it("keeps its configured value when the server does not answer", async () => {
    const { endpoint, server } = await serving("ollama", "ollama", [{ id: "m" }]);
    await server.close();
    const served = await servingOf({ endpoint, model: "m", limit: 5_000 }, realClock);
    expect(served).toEqual({ contextWindow: { tokens: 5_000, source: "setting" }, slots: 1 });
  });

  it("is requested again when the server was unreachable", async () => {
    const { server } = await window("vllm", "vllm", [{ id: "m", contextTokens: 30_000 }], "other");
    await server.close();
    const vendor = vendorOf("llamacpp");
    const located = vendor && endpointOf(vendor, { LLAMACPP_URL: server.url });
    if (!located?.ok) throw new Error("llamacpp");
    const question = { endpoint: located.endpoint, model: "m" };
    expect((await servingOf(question, realClock)).contextWindow).toEqual({ tokens: 8_192, source: "assumed" });
    const back = await startModelServer({
      flavour: "llamacpp",
      port: server.port,
      scenario: { models: [{ id: "m", contextTokens: 9_000 }] },
    });
    servers.push(back);
    expect((await servingOf(question, realClock)).contextWindow).toEqual({ tokens: 9_000, source: "server" });
  });
});

describe("the serving of a model", () => {
  it("explains why less than the configured context window is used", async () => {
    const ollama = await serving("ollama", "ollama", [{ id: "m", trainedTokens: 8_192 }]);
    expect((await servingOf({ endpoint: ollama.endpoint, model: "m", limit: 100_000 }, realClock)).warning).toBe(
      "m supports at most 8192 tokens: harness uses that instead of context_limit (100000).",
    );
    const llama = await serving("llamacpp", "llamacpp", [{ id: "m", contextTokens: 9_000 }]);
    const { warning } = await servingOf({ endpoint: llama.endpoint, model: "m", limit: 10_000 }, realClock);
    expect(warning).toContain(
      "runs m with a context window of 9000 tokens: harness uses that instead of context_limit (10000",
    );
  });

  it.each<[string, string, Flavour, Models[number], Record<string, string>, number | undefined]>([
    ["what llama.cpp was started with", "llamacpp", "llamacpp", { id: "m", slots: 4 }, {}, 4],
    ["one with Ollama", "ollama", "ollama", { id: "m" }, {}, 1],
    ["what Ollama was set to", "ollama", "ollama", { id: "m" }, { OLLAMA_NUM_PARALLEL: "3" }, 3],
    ["one with a setting that is none", "ollama", "ollama", { id: "m" }, { OLLAMA_NUM_PARALLEL: "auto" }, 1],
    ["one with LM Studio", "lmstudio", "lmstudio", { id: "m" }, {}, 1],
    ["as many as come with vLLM", "vllm", "vllm", { id: "m" }, {}, undefined],
    ["as many as come behind a proxy", "openai", "openai", { id: "m" }, {}, undefined],
  ])("has as many slots as the server: %s", async (_name, id, flavour, model, env, slots) => {
    const { endpoint } = await serving(id, flavour, [model]);
    const served = await servingOf({ endpoint, model: "m", env }, realClock);
    expect(served.slots).toBe(slots);
  });

  it("lists the model's capabilities", async () => {
    const { endpoint } = await serving("ollama", "ollama", [{ id: "m", capabilities: ["completion", "thinking"] }]);
    const { abilities } = await servingOf({ endpoint, model: "m" }, realClock);
    expect(abilities).toEqual({ tools: false, images: false, thinking: true });
  });
});

describe("the context window of a hosted model", () => {
  it.each([
    ["gpt-4o-mini", 128_000],
    ["gpt-4.1", 1_047_576],
    ["gpt-4-turbo", 128_000],
    ["gpt-4", 8_192],
    ["gpt-4-0613", 8_192],
    ["gpt-3.5-turbo", 16_385],
    ["gpt-5-mini", 400_000],
    ["o3", 200_000],
    ["anthropic/claude-sonnet-4", 200_000],
    ["google/gemini-2.5-pro", 1_048_576],
    ["deepseek/deepseek-chat", 128_000],
    ["meta-llama/llama-3.3-70b-instruct", 128_000],
    ["qwen/qwen3-coder:free", 256_000],
    ["somebody/something", undefined],
  ])("is %s: %s", (model, tokens) => {
    expect(knownContextWindow(model)).toBe(tokens);
  });

  it("needs no request", async () => {
    const vendor = vendorOf("openrouter");
    const located = vendor && endpointOf(vendor, { OPENROUTER_BASE_URL: "https://unreachable.invalid/api/v1" });
    if (!located?.ok) throw new Error("openrouter");
    const question = { endpoint: located.endpoint };
    expect((await servingOf({ ...question, model: "anthropic/claude-x" }, realClock)).contextWindow).toEqual({
      tokens: 200_000,
      source: "table",
    });
    expect((await servingOf({ ...question, model: "new" }, realClock)).contextWindow).toEqual({
      tokens: 128_000,
      source: "assumed",
    });
  });
});
