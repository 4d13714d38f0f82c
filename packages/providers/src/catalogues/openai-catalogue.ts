import type { Price } from "@harness/protocol";
import { asList, asRecord, asText, type JsonRecord, withoutUndefined } from "../json/lenient-json.ts";
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

export const openAiCatalogue: Catalogue = { list: listOpenAi };

export async function listOpenAi(ask: Ask): Promise<ServerModel[]> {
  const answer = await ask("/v1/models");
  return entriesOf(Array.isArray(answer) ? answer : asRecord(answer).data)
    .map(parseOpenAiModel)
    .filter(canChat);
}

/**
 * One entry of the list, with the names that vLLM, OpenRouter, Groq, Mistral and llama.cpp use for the context window.
 */
export function parseOpenAiModel(entry: JsonRecord): ServerModel {
  const meta = asRecord(entry.meta);
  const contextWindow =
    positive(entry.max_model_len) ??
    positive(entry.context_length) ??
    positive(entry.context_window) ??
    positive(entry.max_context_length) ??
    positive(meta.n_ctx);
  return {
    id: asText(entry.id),
    ...withoutUndefined({
      contextWindow,
      outputTokens:
        positive(asRecord(entry.top_provider).max_completion_tokens) ?? positive(entry.max_completion_tokens),
      abilities: readAbilities(entry),
      price: readPrice(entry.pricing),
    }),
  };
}

/** OpenRouter lists the parameters that a model accepts, Mistral has its own name for each ability. */
function readAbilities(entry: JsonRecord): ServerModel["abilities"] {
  const capabilities = asRecord(entry.capabilities);
  const parameters = entry.supported_parameters;
  const takes = (name: string) => (Array.isArray(parameters) ? parameters.includes(name) : undefined);
  const inputs = asRecord(entry.architecture).input_modalities;
  return abilitiesOf({
    tools: takes("tools") ?? flag(capabilities.function_calling),
    images: Array.isArray(inputs) ? asList(inputs).includes("image") : flag(capabilities.vision),
    thinking: takes("reasoning"),
  });
}

/** OpenRouter: dollars per token, as text. A negative price means that it depends. */
function readPrice(pricing: unknown): Price | undefined {
  const { prompt, completion, input_cache_read: cacheRead, input_cache_write: cacheWrite } = asRecord(pricing);
  const [input, output] = [perMillion(prompt), perMillion(completion)];
  if (input === undefined || output === undefined) return undefined;
  return {
    input,
    output,
    ...withoutUndefined({ cacheRead: perMillion(cacheRead), cacheWrite: perMillion(cacheWrite) }),
  };
}

function perMillion(text: unknown): number | undefined {
  const price = typeof text === "string" && text.trim() !== "" ? Number(text) : Number.NaN;
  if (!Number.isFinite(price) || price < 0) return undefined;
  // Rounded to hide binary floating-point errors.
  return Number((price * 1_000_000).toPrecision(12));
}
