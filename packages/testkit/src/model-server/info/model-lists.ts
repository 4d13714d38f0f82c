import { errorJson } from "../flavours/error-dialect.ts";
import { type Flavour, flavourRows } from "../flavours/flavour.ts";
import type { ServedModel } from "../flavours/served-models.ts";
import { type InfoAnswer, type InfoRequest, idAfter, infoSeconds, infoTime, json, jsonAnswer } from "./info-request.ts";

/** Responses to `GET …/models` of hosted vendors, and of servers that follow OpenAI. */
export function openAiModels({ served, flavour }: InfoRequest): InfoAnswer {
  return jsonAnswer({ object: "list", data: served.models.map((model) => openAiEntry(model, flavour)) });
}

export function openAiModelAnswer({ served, flavour, path }: InfoRequest): InfoAnswer {
  const { basePath, errors } = flavourRows[flavour];
  const id = idAfter(path, `${basePath}/models/`);
  const model = served.find(id);
  if (model !== undefined) return jsonAnswer(openAiEntry(model, flavour));
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

/** Each vendor's name for the window; OpenAI, DeepSeek, xAI, Gemini and z.ai do not report it. */
const windowFields: Partial<Record<Flavour, string>> = {
  vllm: "max_model_len",
  groq: "context_window",
  mistral: "max_context_length",
  fireworks: "context_length",
};

function openAiEntry(model: ServedModel, flavour: Flavour): unknown {
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

function mistralCapabilities(model: ServedModel): Record<string, boolean> {
  return {
    completion_chat: true,
    function_calling: model.capabilities.includes("tools"),
    vision: model.capabilities.includes("vision"),
  };
}

export function openRouterModels({ served }: InfoRequest): InfoAnswer {
  const data = served.models.map((model) => ({
    id: model.id,
    name: model.id,
    created: infoSeconds,
    context_length: model.contextTokens,
    architecture: { modality: "text->text", input_modalities: ["text"], output_modalities: ["text"] },
    pricing: { prompt: "0.000003", completion: "0.000015", request: "0" },
    top_provider: { context_length: model.contextTokens, max_completion_tokens: 64_000, is_moderated: false },
    supported_parameters: ["tools", "tool_choice", "reasoning", "max_tokens"],
  }));
  return jsonAnswer({ data });
}

/** docs "List Models": newest first, in pages. All of them fit on one here. */
export function anthropicModels({ served }: InfoRequest): InfoAnswer {
  const data = served.models.map(anthropicEntry);
  const first = served.models[0]?.id ?? null;
  return jsonAnswer({ data, has_more: false, first_id: first, last_id: served.models.at(-1)?.id ?? null });
}

export function anthropicModel({ served, path }: InfoRequest): InfoAnswer {
  const id = idAfter(path, "/v1/models/");
  const model = served.find(id);
  if (model !== undefined) return jsonAnswer(anthropicEntry(model));
  return json(404, errorJson("anthropic", 404, { message: `model: ${id}` }));
}

function anthropicEntry(model: ServedModel): unknown {
  return { type: "model", id: model.id, display_name: model.id, created_at: infoTime };
}
