import { asList, asRecord, asText, type JsonRecord, withoutUndefined } from "../json/lenient-json.ts";
import { parseOpenAiModel } from "./openai-catalogue.ts";
import {
  type Ask,
  abilitiesOf,
  type Catalogue,
  canChat,
  entriesOf,
  flag,
  positive,
  type ServerModel,
} from "./server-model.ts";

/** The default if the server does not say: it serves several requests at once only if started that way. */
const SLOTS = 1;

/** github.com/ggml-org/llama.cpp tools/server/README.md. */
export const llamaCppCatalogue: Catalogue = { list, look, isServer };

async function isServer(ask: Ask): Promise<boolean> {
  const { data } = asRecord(await ask("/v1/models"));
  return asList(data).some((each) => asText(asRecord(each).owned_by) === "llamacpp");
}

/** A router lists all of its models, and `status` says which are loaded. */
async function list(ask: Ask): Promise<ServerModel[]> {
  const answer = asRecord(await ask("/v1/models"));
  return entriesOf(answer.data)
    .map((each) => ({
      ...parseOpenAiModel(each),
      loaded: each.status === undefined || asRecord(each.status).value === "loaded",
      slots: SLOTS,
    }))
    .filter(canChat);
}

/**
 * `/props` reports the number of slots and the context window of one slot, which is what a conversation gets. A router
 * must not load a model for this question, because that would drop the caches of its other models.
 */
async function look(ask: Ask, model: string): Promise<Partial<ServerModel>> {
  const props = asRecord(await ask(`/props?model=${encodeURIComponent(model)}&autoload=false`));
  return withoutUndefined({
    contextWindow: positive(asRecord(props.default_generation_settings).n_ctx),
    slots: positive(props.total_slots),
    abilities: readAbilities(props),
  });
}

/** The names of common/jinja/caps.h. A template without tools drops them silently; prompted tools work with it. */
function readAbilities(props: JsonRecord): ServerModel["abilities"] {
  const caps = asRecord(props.chat_template_caps);
  const { modalities } = props;
  // Old builds listed the modalities in an array.
  const images = Array.isArray(modalities) ? asList(modalities).includes("vision") : flag(asRecord(modalities).vision);
  const thinks = /enable_thinking|<think>|reasoning_content/.test(asText(props.chat_template));
  return abilitiesOf({
    tools: flag(caps.supports_tools) ?? flag(caps.supports_tool_calls),
    images,
    thinking: asText(props.chat_template) === "" ? undefined : thinks,
  });
}
