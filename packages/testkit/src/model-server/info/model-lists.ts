import { errorJson } from "../flavours/error-dialect.ts";
import { type Flavour, flavourRows } from "../flavours/flavour.ts";
import type { ShelfModel } from "../flavours/model-shelf.ts";
import { type InfoAnswer, type InfoRequest, idAfter, infoSeconds, infoTime, json, ok } from "./info-request.ts";

/** What the hosted vendors, and those who follow OpenAI, answer to `GET …/models`. */
export function openAiModels({ shelf, flavour }: InfoRequest): InfoAnswer {
  return ok({ object: "list", data: shelf.models.map((model) => openAiEntry(model, flavour)) });
}

export function openAiModel({ shelf, flavour, path }: InfoRequest): InfoAnswer {
  const { basePath, errors } = flavourRows[flavour];
  const id = idAfter(path, `${basePath}/models/`);
  const model = shelf.find(id);
  if (model !== undefined) return ok(openAiEntry(model, flavour));
  const detail = { message: `The model '${id}' does not exist`, code: "model_not_found", param: "model" };
  return json(404, errorJson(errors, 404, detail));
}

const owners: Partial<Record<Flavour, string>> = {
  ollama: "library",
  lmstudio: "organization_owner",
  vllm: "vllm",
  gemini: "google",
  groq: "Groq",
  deepseek: "deepseek",
  mistral: "mistralai",
  xai: "xai",
  fireworks: "fireworks",
  zai: "z-ai",
};

/** The window, by the name that each vendor gives it; OpenAI, DeepSeek, xAI, Gemini and z.ai do not tell. */
const windowFields: Partial<Record<Flavour, string>> = {
  vllm: "max_model_len",
  groq: "context_window",
  mistral: "max_context_length",
  fireworks: "context_length",
};

function openAiEntry(model: ShelfModel, flavour: Flavour): unknown {
  const entry = { id: model.id, object: "model", created: infoSeconds, owned_by: owners[flavour] ?? "openai" };
  const window = windowFields[flavour];
  return {
    ...entry,
    ...(flavour === "vllm" && { root: model.id, parent: null }),
    ...(flavour === "groq" && { active: true, public_apps: null }),
    ...(flavour === "gemini" && { display_name: model.id }),
    ...(flavour === "mistral" && { capabilities: mistralCapabilities(model) }),
    ...(window !== undefined && { [window]: model.contextTokens }),
  };
}

function mistralCapabilities(model: ShelfModel): Record<string, boolean> {
  return {
    completion_chat: true,
    function_calling: model.capabilities.includes("tools"),
    vision: model.capabilities.includes("vision"),
  };
}

export function openRouterModels({ shelf }: InfoRequest): InfoAnswer {
  const data = shelf.models.map((model) => ({
    id: model.id,
    name: model.id,
    created: infoSeconds,
    context_length: model.contextTokens,
    architecture: { modality: "text->text", input_modalities: ["text"], output_modalities: ["text"] },
    pricing: { prompt: "0.000003", completion: "0.000015", request: "0" },
    top_provider: { context_length: model.contextTokens, max_completion_tokens: 64_000, is_moderated: false },
    supported_parameters: ["tools", "tool_choice", "reasoning", "max_tokens"],
  }));
  return ok({ data });
}

/** docs "List Models": newest first, in pages. All of them fit on one here. */
export function anthropicModels({ shelf }: InfoRequest): InfoAnswer {
  const data = shelf.models.map(anthropicEntry);
  const first = shelf.models[0]?.id ?? null;
  return ok({ data, has_more: false, first_id: first, last_id: shelf.models.at(-1)?.id ?? null });
}

export function anthropicModel({ shelf, path }: InfoRequest): InfoAnswer {
  const id = idAfter(path, "/v1/models/");
  const model = shelf.find(id);
  if (model !== undefined) return ok(anthropicEntry(model));
  return json(404, errorJson("anthropic", 404, { message: `model: ${id}` }));
}

function anthropicEntry(model: ShelfModel): unknown {
  return { type: "model", id: model.id, display_name: model.id, created_at: infoTime };
}
