import { asObject, asText } from "./conversation.ts";
import type { Flavour } from "./flavour.ts";
import type { ModelShelf, ShelfModel } from "./model-shelf.ts";
import { REPLY_TIME } from "./reply.ts";
import { errorJson } from "./vendor-errors.ts";

/** What a server tells about itself: the endpoints that discovery probes, each flavour with its own only. */
export interface InfoAnswer {
  status: number;
  contentType: string;
  body: string;
}

interface InfoRequest {
  shelf: ModelShelf;
  flavour: Flavour;
  path: string;
  body: unknown;
}

interface InfoRow {
  method: "GET" | "POST";
  /** A path, or the beginning of one when it ends in `/*`. */
  path: string;
  flavours: readonly Flavour[];
  answer(request: InfoRequest): InfoAnswer;
}

const time = REPLY_TIME.toISOString();
const created = Math.floor(REPLY_TIME.getTime() / 1000);
const digest = "5c81ed000000000000000000000000000000000000000000000000000000c0de";
const version = "0.40.12";
/** Ollama's keep-alive, far ahead so that the fixed clock never makes a model look unloaded. */
const expires = "2099-01-01T00:00:00.000Z";

const ok = (value: unknown): InfoAnswer => json(200, JSON.stringify(value));
const text = (body: string, contentType = "text/plain; charset=utf-8"): InfoAnswer => ({
  status: 200,
  contentType,
  body,
});

function json(status: number, body: string): InfoAnswer {
  return { status, contentType: "application/json; charset=utf-8", body };
}

const infoRows: readonly InfoRow[] = [
  { method: "GET", path: "/", flavours: ["ollama"], answer: () => text("Ollama is running") },
  { method: "GET", path: "/api/version", flavours: ["ollama"], answer: () => ok({ version }) },
  { method: "GET", path: "/api/tags", flavours: ["ollama"], answer: ({ shelf }) => ok(ollamaTags(shelf)) },
  { method: "POST", path: "/api/show", flavours: ["ollama"], answer: ollamaShow },
  { method: "GET", path: "/api/ps", flavours: ["ollama"], answer: ({ shelf }) => ok(ollamaProcesses(shelf)) },
  { method: "GET", path: "/health", flavours: ["llamacpp"], answer: () => ok({ status: "ok" }) },
  { method: "GET", path: "/v1/health", flavours: ["llamacpp"], answer: () => ok({ status: "ok" }) },
  { method: "GET", path: "/props", flavours: ["llamacpp"], answer: ({ shelf }) => ok(llamaProps(shelf)) },
  { method: "GET", path: "/slots", flavours: ["llamacpp"], answer: ({ shelf }) => ok(llamaSlots(shelf)) },
  // llama.cpp lists its model on Ollama's path too: whoever tells servers apart by /api/tags alone is wrong here.
  { method: "GET", path: "/api/tags", flavours: ["llamacpp"], answer: ({ shelf }) => ok(llamaModels(shelf)) },
  { method: "POST", path: "/api/show", flavours: ["llamacpp"], answer: ({ shelf }) => ok(llamaShow(shelf)) },
  { method: "GET", path: "/models", flavours: ["llamacpp"], answer: ({ shelf }) => ok(llamaModels(shelf)) },
  { method: "GET", path: "/v1/models", flavours: ["llamacpp"], answer: ({ shelf }) => ok(llamaModels(shelf)) },
  { method: "GET", path: "/health", flavours: ["vllm"], answer: () => text("") },
  { method: "GET", path: "/version", flavours: ["vllm"], answer: () => ok({ version }) },
  { method: "GET", path: "/api/v0/models", flavours: ["lmstudio"], answer: ({ shelf }) => ok(lmStudioV0(shelf)) },
  { method: "GET", path: "/api/v0/models/*", flavours: ["lmstudio"], answer: lmStudioV0Model },
  { method: "GET", path: "/api/v1/models", flavours: ["lmstudio"], answer: ({ shelf }) => ok(lmStudioV1(shelf)) },
  {
    method: "GET",
    path: "/api/v1/models",
    flavours: ["openrouter"],
    answer: ({ shelf }) => ok(openRouterModels(shelf)),
  },
  { method: "GET", path: "/v1/models", flavours: ["openrouter"], answer: ({ shelf }) => ok(openRouterModels(shelf)) },
  { method: "GET", path: "/v1/models", flavours: ["openai", "ollama", "lmstudio", "vllm"], answer: openAiModels },
  { method: "GET", path: "/v1/models/*", flavours: ["openai", "ollama", "vllm"], answer: openAiModel },
];

/** The answer to an endpoint that is not a chat, or undefined when this flavour does not have it. */
export function answerInfo(method: string, request: InfoRequest): InfoAnswer | undefined {
  const wanted = method === "HEAD" ? "GET" : method;
  return infoRows
    .find((row) => row.method === wanted && row.flavours.includes(request.flavour) && covers(row.path, request.path))
    ?.answer(request);
}

function covers(pattern: string, path: string): boolean {
  return pattern.endsWith("/*") ? path.startsWith(pattern.slice(0, -1)) : path === pattern;
}

const architecture = "qwen3";
const details = {
  parent_model: "",
  format: "gguf",
  family: architecture,
  families: [architecture],
  parameter_size: "8.2B",
  quantization_level: "Q4_K_M",
};

function ollamaTags(shelf: ModelShelf): unknown {
  const models = shelf.models.map(({ id }) => {
    return { name: id, model: id, modified_at: time, size: 5_225_388_164, digest, details };
  });
  return { models };
}

function ollamaProcesses(shelf: ModelShelf): unknown {
  const models = shelf.loaded.map(({ id, contextTokens }) => {
    const size = { size: 6_100_000_000, size_vram: 6_100_000_000 };
    return { name: id, model: id, ...size, digest, details, expires_at: expires, context_length: contextTokens };
  });
  return { models };
}

function ollamaShow({ shelf, body }: InfoRequest): InfoAnswer {
  const id = asText(asObject(body).model) || asText(asObject(body).name);
  const model = shelf.find(id);
  if (model === undefined) {
    return json(404, errorJson("ollama", 404, { message: `model '${id}' not found` }, true));
  }
  return ok({
    modelfile: `FROM ${model.id}\n`,
    parameters: model.parameters,
    template: "{{ .Prompt }}",
    details,
    model_info: {
      "general.architecture": architecture,
      "general.parameter_count": 8_190_735_360,
      [`${architecture}.context_length`]: model.trainedTokens,
      [`${architecture}.embedding_length`]: 4096,
    },
    capabilities: model.capabilities,
    modified_at: time,
  });
}

function llamaProps(shelf: ModelShelf): unknown {
  const [model] = shelf.models;
  return {
    default_generation_settings: { id: 0, id_task: -1, n_ctx: model?.contextTokens, speculative: false },
    total_slots: model?.slots,
    model_path: `/models/${model?.id}`,
    model_alias: model?.id,
    modalities: { vision: false, audio: false },
    chat_template_caps: { supports_tools: model?.capabilities.includes("tools") },
    build_info: "b8681-scripted",
    is_sleeping: false,
  };
}

function llamaShow(shelf: ModelShelf): unknown {
  const [model] = shelf.models;
  const modelInfo = { "llama.context_length": model?.contextTokens };
  return { template: "", model_info: modelInfo, modelfile: "", parameters: "", details, capabilities: ["completion"] };
}

function llamaSlots(shelf: ModelShelf): unknown {
  const [model] = shelf.models;
  return Array.from({ length: model?.slots ?? 1 }, (_, id) => ({
    id,
    id_task: -1,
    n_ctx: model?.contextTokens,
    speculative: false,
    is_processing: false,
  }));
}

function llamaModels(shelf: ModelShelf): unknown {
  const data = shelf.models.map((model) => ({
    id: model.id,
    object: "model",
    created,
    owned_by: "llamacpp",
    meta: { n_ctx: model.contextTokens, n_ctx_train: model.trainedTokens, n_params: 8_190_735_360 },
  }));
  const models = shelf.models.map(({ id }) => ({ name: id, model: id, capabilities: ["completion"], details }));
  return { models, object: "list", data };
}

function lmStudioV0(shelf: ModelShelf): unknown {
  return { object: "list", data: shelf.models.map((model) => lmStudioV0Entry(shelf, model)) };
}

function lmStudioV0Model({ shelf, path }: InfoRequest): InfoAnswer {
  const id = decodeURIComponent(path.slice("/api/v0/models/".length));
  const model = shelf.find(id);
  if (model === undefined) return json(404, errorJson("lmstudio", 404, { message: `Model "${id}" not found` }, true));
  return ok(lmStudioV0Entry(shelf, model));
}

function lmStudioV0Entry(shelf: ModelShelf, model: ShelfModel): unknown {
  const loaded = shelf.loadedTokens(model.id);
  return {
    id: model.id,
    object: "model",
    type: "llm",
    publisher: "scripted",
    arch: architecture,
    compatibility_type: "gguf",
    quantization: "Q4_K_M",
    state: loaded === undefined ? "not-loaded" : "loaded",
    max_context_length: model.trainedTokens,
    ...(loaded === undefined ? {} : { loaded_context_length: loaded }),
    capabilities: model.capabilities.includes("tools") ? ["tool_use"] : [],
  };
}

function lmStudioV1(shelf: ModelShelf): unknown {
  const models = shelf.models.map((model) => {
    const loaded = shelf.loadedTokens(model.id);
    return {
      type: "llm",
      publisher: "scripted",
      key: model.id,
      display_name: model.id,
      architecture,
      quantization: { name: "Q4_K_M", bits_per_weight: 4 },
      size_bytes: 5_225_388_164,
      params_string: "8B",
      loaded_instances: loaded === undefined ? [] : [{ id: model.id, config: { context_length: loaded } }],
      max_context_length: model.trainedTokens,
      format: "gguf",
      capabilities: { vision: false, trained_for_tool_use: model.capabilities.includes("tools") },
      description: null,
    };
  });
  return { models };
}

function openRouterModels(shelf: ModelShelf): unknown {
  const data = shelf.models.map((model) => ({
    id: model.id,
    name: model.id,
    created,
    context_length: model.contextTokens,
    architecture: { modality: "text->text", input_modalities: ["text"], output_modalities: ["text"] },
    pricing: { prompt: "0.000003", completion: "0.000015", request: "0" },
    top_provider: { context_length: model.contextTokens, max_completion_tokens: 64_000, is_moderated: false },
    supported_parameters: ["tools", "tool_choice", "reasoning", "max_tokens"],
  }));
  return { data };
}

function openAiModels({ shelf, flavour }: InfoRequest): InfoAnswer {
  return ok({ object: "list", data: shelf.models.map((model) => openAiEntry(model, flavour)) });
}

function openAiModel({ shelf, flavour, path }: InfoRequest): InfoAnswer {
  const id = decodeURIComponent(path.slice("/v1/models/".length));
  const model = shelf.find(id);
  if (model !== undefined) return ok(openAiEntry(model, flavour));
  const detail = { message: `The model '${id}' does not exist`, code: "model_not_found", param: "model" };
  return json(404, errorJson(flavour, 404, detail));
}

const owners: Partial<Record<Flavour, string>> = { ollama: "library", lmstudio: "organization_owner", vllm: "vllm" };

function openAiEntry(model: ShelfModel, flavour: Flavour): unknown {
  const entry = { id: model.id, object: "model", created, owned_by: owners[flavour] ?? "openai" };
  if (flavour !== "vllm") return entry;
  return { ...entry, root: model.id, parent: null, max_model_len: model.contextTokens };
}
