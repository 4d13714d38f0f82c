import { asList, asRecord, asText, type JsonRecord } from "../json/lenient-json.ts";
import { openAiModel } from "./openai-catalogue.ts";
import {
  type Ask,
  abilitiesOf,
  type Catalogue,
  canChat,
  entriesOf,
  flag,
  known,
  positive,
  type ServerModel,
} from "./server-model.ts";

/** Where the server does not say: it takes more at a time only when it was started so. */
const SLOTS = 1;

/** github.com/ggml-org/llama.cpp tools/server/README.md. */
export const llamaCppCatalogue: Catalogue = { list, look };

/** A router lists all of its models, and `status` says which ones are loaded. */
async function list(ask: Ask): Promise<ServerModel[]> {
  const answer = asRecord(await ask("/v1/models"));
  return entriesOf(answer.data)
    .map((each) => ({
      ...openAiModel(each),
      loaded: each.status === undefined || asRecord(each.status).value === "loaded",
      slots: SLOTS,
    }))
    .filter(canChat);
}

/**
 * `/props` tells the window of one slot, which is what a conversation gets, and how many slots there are. A router that
 * has not loaded the model yet must not do so for this question; its caches of other models would go.
 */
async function look(ask: Ask, model: string): Promise<Partial<ServerModel>> {
  const props = asRecord(await ask(`/props?model=${encodeURIComponent(model)}&autoload=false`));
  return known({
    contextWindow: positive(asRecord(props.default_generation_settings).n_ctx),
    slots: positive(props.total_slots),
    abilities: readAbilities(props),
  });
}

/** The names of common/jinja/caps.h. A template without tools drops them without a word: asked in words, they work. */
function readAbilities(props: JsonRecord): ServerModel["abilities"] {
  const caps = asRecord(props.chat_template_caps);
  const { modalities } = props;
  // Old builds wrote the modalities as a list.
  const images = Array.isArray(modalities) ? asList(modalities).includes("vision") : flag(asRecord(modalities).vision);
  const thinks = /enable_thinking|<think>|reasoning_content/.test(asText(props.chat_template));
  return abilitiesOf({
    tools: flag(caps.supports_tools) ?? flag(caps.supports_tool_calls),
    images,
    thinking: asText(props.chat_template) === "" ? undefined : thinks,
  });
}
