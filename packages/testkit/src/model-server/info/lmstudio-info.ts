import { errorJson } from "../flavours/error-dialect.ts";
import type { ServedModel, ServedModels } from "../flavours/served-models.ts";
import { unknownPath } from "../flavours/vendor-errors.ts";
import { architecture, type InfoAnswer, type InfoRequest, idAfter, json, jsonAnswer } from "./info-request.ts";

/** LM Studio's own REST API, old (`/api/v0`) and new (`/api/v1`). */
export function lmStudioV0({ served }: InfoRequest): InfoAnswer {
  return jsonAnswer({ object: "list", data: served.models.map((model) => entryOf(served, model)) });
}

export function lmStudioV0Model({ served, path }: InfoRequest): InfoAnswer {
  const id = idAfter(path, "/api/v0/models/");
  const model = served.find(id);
  if (model === undefined) return json(404, errorJson("string", 404, { message: `Model "${id}" not found` }));
  return jsonAnswer(entryOf(served, model));
}

function entryOf(served: ServedModels, model: ServedModel): unknown {
  const loaded = served.loadedTokens(model.id);
  return {
    id: model.id,
    object: "model",
    type: model.capabilities.includes("vision") ? "vlm" : "llm",
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

export function lmStudioV1({ served, flavour, path }: InfoRequest): InfoAnswer {
  if (served.loading.api === false) return unknownPath(flavour, "GET", path);
  const models = served.models.map((model) => {
    const loaded = served.loadedTokens(model.id);
    const config = { context_length: loaded, parallel: model.slots };
    return {
      type: "llm",
      publisher: "scripted",
      key: model.id,
      display_name: model.id,
      architecture,
      quantization: { name: "Q4_K_M", bits_per_weight: 4 },
      size_bytes: 5_225_388_164,
      params_string: "8B",
      loaded_instances: loaded === undefined ? [] : [{ id: model.id, config }],
      max_context_length: model.trainedTokens,
      format: "gguf",
      capabilities: {
        vision: model.capabilities.includes("vision"),
        trained_for_tool_use: model.capabilities.includes("tools"),
      },
      description: null,
    };
  });
  return jsonAnswer({ models });
}
