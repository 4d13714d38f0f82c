import { errorJson } from "../flavours/error-dialect.ts";
import type { ServedModel } from "../flavours/served-models.ts";
import { asObject, textValue } from "../story/conversation.ts";
import {
  architecture,
  type InfoAnswer,
  type InfoRequest,
  infoTime,
  json,
  jsonAnswer,
  modelDetails,
} from "./info-request.ts";

/** Ollama's docs/api.md: "List Local Models", "List Running Models", "Show Model Information". */
const digest = "5c81ed000000000000000000000000000000000000000000000000000000c0de";
/** Its keep-alive, far ahead so that the fixed clock never makes a model look unloaded. */
const expires = "2099-01-01T00:00:00.000Z";

export function ollamaTags({ served }: InfoRequest): InfoAnswer {
  const models = served.models.map((model) => {
    const file = { modified_at: infoTime, size: sizeOf(model), digest, details: modelDetails };
    return { name: model.id, model: model.id, ...remoteOf(model), ...file };
  });
  return jsonAnswer({ models });
}

/** A cloud model is never loaded here. */
export function ollamaProcesses({ served }: InfoRequest): InfoAnswer {
  const near = served.loaded.filter(({ id }) => served.find(id)?.remoteHost === undefined);
  const models = near.map(({ id, contextTokens }) => {
    const size = { size: 6_100_000_000, size_vram: 6_100_000_000 };
    const file = { digest, details: modelDetails };
    return { name: id, model: id, ...size, ...file, expires_at: expires, context_length: contextTokens };
  });
  return jsonAnswer({ models });
}

export function ollamaShow({ served, body }: InfoRequest): InfoAnswer {
  const id = textValue(asObject(body).model) || textValue(asObject(body).name);
  const model = served.find(id);
  if (model === undefined) return json(404, errorJson("string", 404, { message: `model '${id}' not found` }));
  return jsonAnswer({
    modelfile: `FROM ${model.id}\n`,
    parameters: model.parameters,
    template: "{{ .Prompt }}",
    details: modelDetails,
    model_info: {
      "general.architecture": architecture,
      "general.parameter_count": 8_190_735_360,
      [`${architecture}.context_length`]: model.trainedTokens,
      [`${architecture}.embedding_length`]: 4096,
    },
    capabilities: model.capabilities,
    ...remoteOf(model),
    modified_at: infoTime,
  });
}

function remoteOf(model: ServedModel): Record<string, string> {
  if (model.remoteHost === undefined) return {};
  return { remote_model: model.id.replace(/[-:]cloud$/, ""), remote_host: model.remoteHost };
}

function sizeOf(model: ServedModel): number {
  return model.remoteHost === undefined ? 5_225_388_164 : 384;
}
