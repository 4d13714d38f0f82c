import { describe, expect, it } from "vitest";
import { catalogues } from "./catalogues.ts";
import type { Ask, Catalogue, ServerModel } from "./server-model.ts";

/** A server that knows these paths and refuses all others. */
function answering(paths: Record<string, unknown>): { ask: Ask; asked: string[] } {
  const asked: string[] = [];
  const ask: Ask = async (path) => {
    asked.push(path);
    if (!(path in paths)) throw new Error(`404 ${path}`);
    return paths[path];
  };
  return { ask, asked };
}

async function whole(catalogue: Catalogue, paths: Record<string, unknown>, id: string, wanted?: number) {
  const { ask } = answering(paths);
  const listed = (await catalogue.list(ask)).find((each) => each.id === id);
  const detail = await catalogue.look?.(ask, id, listed, wanted).catch(() => undefined);
  return { ...listed, ...detail };
}

const show = (fields: Record<string, unknown> = {}) => ({
  model_info: { "general.architecture": "qwen3", "qwen3.context_length": 40_960 },
  capabilities: ["completion", "tools", "thinking"],
  ...fields,
});
const tags = { models: [{ name: "m:latest" }] };
const abilities = { tools: true, images: false, thinking: true };

describe("Ollama's list of models", () => {
  it.each<[string, Record<string, unknown>, number | undefined, Partial<ServerModel>]>([
    [
      "a model that is loaded",
      { "/api/ps": { models: [{ name: "m:latest", context_length: 16_384 }] }, "/api/show": show() },
      undefined,
      { loaded: true, contextWindow: 16_384, abilities, slots: 1 },
    ],
    [
      "one that is loaded with more than it was made for",
      { "/api/ps": { models: [{ name: "m:latest", context_length: 65_536 }] }, "/api/show": show() },
      undefined,
      { loaded: true, contextWindow: 40_960, abilities, slots: 1 },
    ],
    [
      "the window of the Modelfile",
      { "/api/show": show({ parameters: 'stop "<x>"\nnum_ctx                        20000' }) },
      undefined,
      { loaded: false, contextWindow: 20_000, abilities, slots: 1 },
    ],
    [
      "what the person set, before all",
      {
        "/api/ps": { models: [{ name: "m:latest", context_length: 16_384 }] },
        "/api/show": show({ parameters: "num_ctx 9000" }),
      },
      30_000,
      { loaded: true, contextWindow: 30_000, abilities, slots: 1 },
    ],
    [
      "what the person set, as far as it goes",
      { "/api/show": show() },
      100_000,
      { loaded: false, contextWindow: 40_960, abilities, slots: 1 },
    ],
    [
      "a model that sees",
      { "/api/show": show({ capabilities: ["vision"] }) },
      undefined,
      {
        loaded: false,
        contextWindow: 8_192,
        slots: 1,
        abilities: { tools: false, images: true, thinking: false },
      },
    ],
    [
      "an old version, which says nothing of abilities",
      { "/api/show": show({ capabilities: undefined }) },
      undefined,
      { loaded: false, contextWindow: 8_192, slots: 1 },
    ],
    ["nothing, when it does not answer", {}, undefined, { loaded: false, slots: 1 }],
    ["nothing certain, when it says nothing", { "/api/show": {} }, undefined, { loaded: false, slots: 1 }],
  ])("is read: %s", async (_name, paths, wanted, expected) => {
    const found = await whole(catalogues.ollama, { "/api/tags": tags, ...paths }, "m:latest", wanted);
    expect(found).toEqual({ id: "m:latest", ...expected });
  });

  it("gives a cloud model its whole context window, and no slots", async () => {
    const remote = { remote_host: "https://ollama.com", remote_model: "m" };
    const paths = { "/api/tags": { models: [{ name: "m-cloud", ...remote }] }, "/api/show": show(remote) };
    const found = await whole(catalogues.ollama, paths, "m-cloud");
    expect(found).toMatchObject({ contextWindow: 40_960 });
    expect(found.slots).toBeUndefined();
  });
});

describe("llama.cpp's list of models", () => {
  const list = { data: [{ id: "m", meta: { n_ctx: 4_096, n_ctx_train: 131_072 } }] };
  const props = "/props?model=m&autoload=false";

  it.each<[string, Record<string, unknown>, Partial<ServerModel>]>([
    [
      "slots, the window of one of them, abilities",
      {
        [props]: {
          total_slots: 4,
          default_generation_settings: { n_ctx: 8_192 },
          chat_template: "{% if enable_thinking %}<think>{% endif %}",
          chat_template_caps: { supports_tools: true, supports_tool_calls: true },
          modalities: { vision: true, audio: false },
        },
      },
      { contextWindow: 8_192, slots: 4, abilities: { tools: true, images: true, thinking: true } },
    ],
    [
      "a template without tools",
      { [props]: { chat_template_caps: { supports_tools: false }, chat_template: "{{ x }}", modalities: ["vision"] } },
      { contextWindow: 4_096, slots: 1, abilities: { tools: false, images: true, thinking: false } },
    ],
    ["an old build", { [props]: { total_slots: 1 } }, { contextWindow: 4_096, slots: 1 }],
    ["nothing, where it is forbidden", {}, { contextWindow: 4_096, slots: 1 }],
  ])("is read: %s", async (_name, paths, expected) => {
    const found = await whole(catalogues.llamacpp, { "/v1/models": list, ...paths }, "m");
    expect(found).toEqual({ id: "m", loaded: true, ...expected });
  });

  it("says which models of a router are loaded, and reading it loads none", async () => {
    const data = [
      { id: "a", status: { value: "unloaded" } },
      { id: "b", status: { value: "loaded" }, architecture: { input_modalities: ["text", "image"] } },
    ];
    const { ask, asked } = answering({ "/v1/models": { data } });
    const found = await catalogues.llamacpp.list(ask);
    expect(found.map(({ id, loaded, abilities: can }) => [id, loaded, can])).toEqual([
      ["a", false, undefined],
      ["b", true, { images: true }],
    ]);
    await catalogues.llamacpp.look?.(ask, "a", found[0]).catch(() => undefined);
    expect(asked.at(-1)).toBe("/props?model=a&autoload=false");
  });
});

describe("LM Studio's list of models", () => {
  const version1 = {
    type: "llm",
    key: "m",
    max_context_length: 262_144,
    capabilities: { vision: true, trained_for_tool_use: true, reasoning: { allowed_options: ["off", "on"] } },
    loaded_instances: [{ id: "m", config: { context_length: 4_096, parallel: 4 } }],
  };

  it("is read from its newest API, with context window and slots of loaded models", async () => {
    const other = { type: "llm", key: "n", loaded_instances: [], capabilities: { vision: false } };
    const embedding = { type: "embedding", key: "e", loaded_instances: [] };
    const { ask, asked } = answering({ "/api/v1/models": { models: [version1, other, embedding] } });
    expect(await catalogues.lmstudio.list(ask)).toEqual([
      {
        id: "m",
        loaded: true,
        slots: 4,
        contextWindow: 4_096,
        abilities: { tools: true, images: true, thinking: true },
      },
      { id: "n", loaded: false, loads: true, slots: 1, abilities: { images: false } },
    ]);
    expect(asked).toEqual(["/api/v1/models"]);
  });

  it("contains each name under which a model was loaded", async () => {
    const named = { id: "mine", config: { context_length: 9_000 } };
    const again = { id: "m:2", config: { context_length: 1_000 } };
    const { ask } = answering({
      "/api/v1/models": { models: [{ ...version1, loaded_instances: [named, again] }] },
    });
    const found = await catalogues.lmstudio.list(ask);
    expect(found.map(({ id, contextWindow }) => [id, contextWindow])).toEqual([
      ["m", 9_000],
      ["mine", 9_000],
    ]);
  });

  it("is read from its older API, which answers an unknown path with 200", async () => {
    const { ask } = answering({
      "/api/v1/models": { error: "Unexpected endpoint or method." },
      "/api/v0/models": {
        data: [
          { id: "m", type: "vlm", state: "loaded", loaded_context_length: 8_000, max_context_length: 32_000 },
          { id: "n", type: "llm", state: "not-loaded", max_context_length: 32_000, capabilities: ["tool_use"] },
          { id: "text-embedding", type: "embeddings", state: "loaded" },
        ],
      },
    });
    expect(await catalogues.lmstudio.list(ask)).toEqual([
      {
        id: "m",
        loaded: true,
        slots: 1,
        contextWindow: 8_000,
        abilities: { images: true },
      },
      { id: "n", loaded: false, slots: 1, abilities: { tools: true, images: false } },
    ]);
  });

  it("is read from the standard API when there is no other", async () => {
    const { ask } = answering({ "/v1/models": { data: [{ id: "m" }] } });
    expect(await catalogues.lmstudio.list(ask)).toEqual([{ id: "m", slots: 1 }]);
  });
});

describe("a standard list of models", () => {
  it.each<[string, Record<string, unknown>, Partial<ServerModel>]>([
    ["vLLM", { max_model_len: 40_960 }, { contextWindow: 40_960 }],
    [
      "Groq",
      { context_window: 131_072, max_completion_tokens: 8_192 },
      { contextWindow: 131_072, outputTokens: 8_192 },
    ],
    [
      "Mistral",
      { max_context_length: 128_000, capabilities: { function_calling: true, vision: false } },
      { contextWindow: 128_000, abilities: { tools: true, images: false } },
    ],
    [
      "OpenRouter",
      {
        context_length: 200_000,
        top_provider: { max_completion_tokens: 64_000 },
        architecture: { input_modalities: ["text", "image"] },
        supported_parameters: ["tools", "max_tokens"],
        pricing: { prompt: "0.000003", completion: "0.000015", input_cache_read: "0.0000003" },
      },
      {
        contextWindow: 200_000,
        outputTokens: 64_000,
        abilities: { tools: true, images: true, thinking: false },
        price: { input: 3, output: 15, cacheRead: 0.3 },
      },
    ],
    ["OpenRouter's router", { pricing: { prompt: "-1", completion: "-1" } }, {}],
    ["a free model", { pricing: { prompt: "0", completion: "0" } }, { price: { input: 0, output: 0 } }],
    ["half a price", { pricing: { prompt: "0.1", completion: "" } }, {}],
    ["nonsense", { context_length: "big", capabilities: 5, pricing: [], architecture: null, meta: "x" }, {}],
  ])("is read: %s", async (_name, entry, expected) => {
    const { ask } = answering({ "/v1/models": { data: [{ id: "m", ...entry }] } });
    expect(await catalogues.openai.list(ask)).toEqual([{ id: "m", ...expected }]);
  });
});
