import { NotTheApi } from "./failure.ts";
import { asCount, asList, asRecord, asText, type Loose } from "./loose-json.ts";
import type { CatalogueName } from "./vendors.ts";

export type ServerModel = {
  id: string;
  /** In memory right now. */
  loaded?: boolean;
  /** The window the server has for it. */
  windowTokens?: number;
};

/** Paths are relative to the server's root, which is the base URL without `/v1`. Rejects when there is no answer. */
export type Ask = (path: string, body?: unknown) => Promise<unknown>;

export interface Catalogue {
  /** Only models that can chat, in the server's order. */
  list(ask: Ask): Promise<ServerModel[]>;
  /** The window of one model, where the list does not tell. */
  window?(ask: Ask, model: string, listed: ServerModel | undefined): Promise<number | undefined>;
  /** An unknown model is an error, rather than a name that is not looked at. */
  namesAreBinding?: true;
}

/** What a local window is when nobody says otherwise. Smaller ones hold hardly more than the instructions. */
export const SMALLEST_USEFUL_WINDOW = 8_192;

const NO_CHAT = /embed|rerank|whisper|\btts\b|dall-e|moderation|transcribe|realtime|gpt-image|sora|davinci|babbage/i;

export const catalogues: Readonly<Record<CatalogueName, Catalogue>> = {
  ollama: { list: listOllama, window: ollamaWindow, namesAreBinding: true },
  llamacpp: { list: listLlamaCpp, window: llamaCppWindow },
  lmstudio: { list: listLmStudio, namesAreBinding: true },
  openai: { list: listOpenAi },
};

/** github.com/ollama/ollama docs/api.md: "List Local Models", "List Running Models". */
async function listOllama(ask: Ask): Promise<ServerModel[]> {
  const [tags, running] = await Promise.all([ask("/api/tags"), ask("/api/ps").catch(() => undefined)]);
  const windows = new Map<string, number | undefined>();
  for (const each of asList(asRecord(running).models).map(asRecord)) {
    windows.set(ollamaName(each), asCount(each.context_length));
  }
  return entriesOf(asRecord(tags).models)
    .filter((each) => ollamaName(each) !== "" && !/bert/.test(asText(asRecord(each.details).family)))
    .map((each) => {
      const id = ollamaName(each);
      const windowTokens = windows.get(id);
      return { id, loaded: windows.has(id), ...(windowTokens && { windowTokens }) };
    })
    .filter(canChat);
}

function ollamaName(entry: Loose): string {
  return asText(entry.name) || asText(entry.model);
}

/**
 * A model that is loaded with a useful window keeps it, for another one would load it anew. Otherwise the Modelfile
 * decides, or we do; what comes out is asked for with every request.
 */
async function ollamaWindow(ask: Ask, model: string, listed: ServerModel | undefined): Promise<number | undefined> {
  if ((listed?.windowTokens ?? 0) >= SMALLEST_USEFUL_WINDOW) return listed?.windowTokens;
  const shown = asRecord(await ask("/api/show", { model }));
  const set = /^num_ctx\s+(\d+)/m.exec(asText(shown.parameters))?.[1];
  if (set !== undefined) return Number(set);
  const info = asRecord(shown.model_info);
  const most = asCount(info[`${asText(info["general.architecture"])}.context_length`]);
  // A model that Ollama itself runs elsewhere has all of its window.
  if (asText(shown.remote_host) !== "") return most;
  return most === undefined ? undefined : Math.min(most, SMALLEST_USEFUL_WINDOW);
}

/** github.com/ggml-org/llama.cpp tools/server/README.md. With several models, `status` says which one is loaded. */
async function listLlamaCpp(ask: Ask): Promise<ServerModel[]> {
  const answer = asRecord(await ask("/v1/models"));
  return entriesOf(answer.data)
    .map((each) => ({
      ...openAiModel(each),
      loaded: each.status === undefined || asRecord(each.status).value === "loaded",
    }))
    .filter(canChat);
}

/** `/props` tells the window of one slot, which is what a conversation gets. */
async function llamaCppWindow(ask: Ask, model: string): Promise<number | undefined> {
  const props = asRecord(await ask(`/props?model=${encodeURIComponent(model)}&autoload=false`));
  return positive(asRecord(props.default_generation_settings).n_ctx);
}

/** lmstudio.ai/docs/developer/rest/endpoints. An unknown path is answered there with 200 and an error. */
async function listLmStudio(ask: Ask): Promise<ServerModel[]> {
  const answer = asRecord(await ask("/api/v0/models"));
  if (answer.data === undefined) return listOpenAi(ask);
  return entriesOf(answer.data)
    .filter((each) => each.type !== "embeddings")
    .map((each) => {
      const windowTokens = positive(each.loaded_context_length);
      return { id: asText(each.id), loaded: each.state === "loaded", ...(windowTokens && { windowTokens }) };
    })
    .filter(canChat);
}

async function listOpenAi(ask: Ask): Promise<ServerModel[]> {
  const answer = await ask("/v1/models");
  return entriesOf(Array.isArray(answer) ? answer : asRecord(answer).data)
    .map(openAiModel)
    .filter(canChat);
}

/** The window under the names that vLLM, OpenRouter, Groq, Mistral and llama.cpp give it. */
function openAiModel(entry: Loose): ServerModel {
  const windowTokens =
    positive(entry.max_model_len) ??
    positive(entry.context_length) ??
    positive(entry.context_window) ??
    positive(entry.max_context_length) ??
    positive(asRecord(entry.meta).n_ctx);
  return { id: asText(entry.id), ...(windowTokens && { windowTokens }) };
}

/** Any web server may be listening on the usual ports; one that has no list is not the one that was looked for. */
function entriesOf(value: unknown): Loose[] {
  if (!Array.isArray(value)) throw new NotTheApi("something else than a list of models");
  return value.map(asRecord);
}

function canChat({ id }: ServerModel): boolean {
  return id !== "" && !NO_CHAT.test(id);
}

function positive(value: unknown): number | undefined {
  return asCount(value) || undefined;
}
