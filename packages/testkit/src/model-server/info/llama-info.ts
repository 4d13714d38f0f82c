import { type InfoAnswer, type InfoRequest, infoSeconds, jsonAnswer, modelDetails } from "./info-request.ts";

/** llama.cpp's tools/server/README.md: `GET /props`, `GET /slots`, `GET /v1/models`. The context window is per slot. */
export function llamaProps({ served }: InfoRequest): InfoAnswer {
  const [model] = served.models;
  return jsonAnswer({
    default_generation_settings: { id: 0, id_task: -1, n_ctx: model?.contextTokens, speculative: false },
    total_slots: model?.slots,
    model_path: `/models/${model?.id}`,
    model_alias: model?.id,
    modalities: { vision: model?.capabilities.includes("vision"), audio: false },
    chat_template: "{% for message in messages %}<|{{ message.role }}|>{{ message.content }}{% endfor %}",
    chat_template_caps: { supports_tools: model?.capabilities.includes("tools") },
    build_info: "b8681-scripted",
    is_sleeping: false,
  });
}

/** The answer of llama.cpp on Ollama's path. */
export function llamaShow({ served }: InfoRequest): InfoAnswer {
  const [model] = served.models;
  const modelInfo = { "llama.context_length": model?.contextTokens };
  const file = { template: "", model_info: modelInfo, modelfile: "", parameters: "", details: modelDetails };
  return jsonAnswer({ ...file, capabilities: ["completion"] });
}

export function llamaSlots({ served, slots }: InfoRequest): InfoAnswer {
  const [model] = served.models;
  const busy = slots.busyOf(model?.id ?? "");
  const list = Array.from({ length: model?.slots ?? 1 }, (_, id) => ({
    id,
    id_task: busy.has(id) ? 0 : -1,
    n_ctx: model?.contextTokens,
    speculative: false,
    is_processing: busy.has(id),
  }));
  return jsonAnswer(list);
}

export function llamaModels({ served }: InfoRequest): InfoAnswer {
  const data = served.models.map((model) => ({
    id: model.id,
    object: "model",
    created: infoSeconds,
    owned_by: "llamacpp",
    meta: { n_ctx: model.contextTokens, n_ctx_train: model.trainedTokens, n_params: 8_190_735_360 },
  }));
  const models = served.models.map(({ id }) => {
    return { name: id, model: id, capabilities: ["completion"], details: modelDetails };
  });
  return jsonAnswer({ models, object: "list", data });
}
