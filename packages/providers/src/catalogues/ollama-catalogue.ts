import { asCount, asList, asRecord, asText, type JsonRecord, withoutUndefined } from "../json/lenient-json.ts";
import { pullFromOllama } from "./ollama-pull.ts";
import {
  type Ask,
  abilitiesOf,
  type Catalogue,
  canChat,
  entriesOf,
  MIN_USEFUL_CONTEXT_WINDOW,
  positive,
  type ServerModel,
} from "./server-model.ts";

/** Ollama's own default for OLLAMA_NUM_PARALLEL. */
const SLOTS = 1;

/** github.com/ollama/ollama docs/api.md: "List Local Models", "List Running Models", "Show Model Information". */
export const ollamaCatalogue: Catalogue = {
  list,
  look,
  countsPart,
  isServer,
  pull: pullFromOllama,
  choosesContextWindow: true,
  namesAreBinding: true,
};

/**
 * The versions whose `prompt_eval_count` omits cached tokens. Before 0.2.0 it did so, and was missing if all were
 * cached (github.com/ollama/ollama issue 3427, pull request 5371). The first versions of 0.30 did so again (pull
 * request 16428); from 0.33 on the cached part is reported separately as `prompt_eval_cached_count` (17943). A partial
 * count looks like a prompt that the server truncated, so the two must not be confused.
 */
const PARTIAL_COUNTS = /^v?0\.(0|1|30)\./;

async function countsPart(ask: Ask): Promise<boolean> {
  return PARTIAL_COUNTS.test(asText(asRecord(await ask("/api/version")).version));
}

/** Other servers have `/api/tags` as well, for compatibility with Ollama's clients. */
async function isServer(ask: Ask): Promise<boolean> {
  return asText(asRecord(await ask("/api/version")).version) !== "";
}

async function list(ask: Ask): Promise<ServerModel[]> {
  const [tags, running] = await Promise.all([ask("/api/tags"), ask("/api/ps").catch(() => undefined)]);
  const windows = new Map<string, number | undefined>();
  for (const each of asList(asRecord(running).models).map(asRecord)) {
    // The window of one request, even if several are served at once.
    windows.set(nameOf(each), asCount(each.context_length));
  }
  return entriesOf(asRecord(tags).models)
    .filter((each) => nameOf(each) !== "" && !/bert/.test(asText(asRecord(each.details).family)))
    .map((each) => {
      const id = nameOf(each);
      const model = { id, loaded: windows.has(id) };
      // A model that Ollama runs remotely uses no local memory.
      const slots = asText(each.remote_host) === "" ? SLOTS : undefined;
      return { ...model, ...withoutUndefined({ contextWindow: windows.get(id) || undefined, slots }) };
    })
    .filter(canChat);
}

function nameOf(entry: JsonRecord): string {
  return asText(entry.name) || asText(entry.model);
}

/**
 * A loaded model with a useful context window keeps it, since a different one would reload the model. Otherwise the
 * Modelfile decides, or our default; the result is sent with every request. The user's setting overrides all of this.
 * No context window is larger than the model's own: Ollama would silently reduce it.
 */
async function look(
  ask: Ask,
  model: string,
  listed: ServerModel | undefined,
  wanted?: number,
): Promise<Partial<ServerModel>> {
  const shown = asRecord(await ask("/api/show", { model }));
  const info = asRecord(shown.model_info);
  const max = positive(info[`${asText(info["general.architecture"])}.context_length`]);
  const isRemote = asText(shown.remote_host) !== "";
  const loaded = (listed?.contextWindow ?? 0) >= MIN_USEFUL_CONTEXT_WINDOW ? listed?.contextWindow : undefined;
  const set = Number(/^num_ctx\s+(\d+)/m.exec(asText(shown.parameters))?.[1] ?? 0) || undefined;
  const contextLength = wanted ?? loaded ?? set ?? (isRemote ? max : MIN_USEFUL_CONTEXT_WINDOW);
  // If the model's own size is unknown, nothing is assumed unless a value was given.
  const isSure = max !== undefined || (wanted ?? loaded ?? set) !== undefined;
  const contextWindow =
    isSure && contextLength !== undefined ? Math.min(contextLength, max ?? contextLength) : undefined;
  return withoutUndefined({ contextWindow, abilities: readAbilities(shown.capabilities) });
}

/** Absent before Ollama 0.6.4. */
function readAbilities(capabilities: unknown): ServerModel["abilities"] {
  if (!Array.isArray(capabilities)) return undefined;
  const has = (name: string) => capabilities.includes(name);
  return abilitiesOf({ tools: has("tools"), images: has("vision"), thinking: has("thinking") });
}
