import { asList, asRecord, asText, type JsonRecord, withoutUndefined } from "../json/lenient-json.ts";
import {
  type Ask,
  type LoadAsks,
  type LoadOptions,
  MIN_USEFUL_CONTEXT_WINDOW,
  positive,
  type ServerModel,
  ServerRefusalError,
} from "./server-model.ts";

/** The path is missing before 0.4, but the answer still has status 200. */
const NO_SUCH_PATH = /unexpected endpoint/i;

/**
 * lmstudio.ai/docs/developer/rest/load. A loaded model stays as it is. Unless the user sets a context length, LM
 * Studio's setting for the model decides; if that is too small, as 4,096 tokens are, the model is loaded again with
 * more.
 */
export async function loadInLmStudio({ look, work }: LoadAsks, options: LoadOptions): Promise<LoadedServerModel> {
  const { model, contextWindow: wanted, onLoading } = options;
  const { models } = asRecord(await look("/api/v1/models").catch(() => undefined));
  const entry = asList(models)
    .map(asRecord)
    .find(({ key }) => asText(key) === model);
  if (!entry) return undefined;
  const [instance] = asList(entry.loaded_instances).map(asRecord);
  if (instance) return loadedAs(instance);
  const max = positive(entry.max_context_length) ?? Number.POSITIVE_INFINITY;
  onLoading();
  const first = await load(work, model, wanted === undefined ? undefined : Math.min(wanted, max));
  const tokens = first?.contextWindow ?? MIN_USEFUL_CONTEXT_WINDOW;
  const useful = Math.min(MIN_USEFUL_CONTEXT_WINDOW, max);
  if (!first || wanted !== undefined || tokens >= useful) return first;
  await work("/api/v1/models/unload", { instance_id: first.instance });
  try {
    return await load(work, model, useful);
  } catch {
    // There is only enough memory for a small one.
    return await load(work, model, undefined);
  }
}

type LoadedServerModel = Partial<ServerModel> | undefined;

/** Undefined: it cannot be asked to. */
async function load(work: Ask, model: string, contextLength: number | undefined) {
  const body = { model, echo_load_config: true, ...withoutUndefined({ context_length: contextLength }) };
  const answer = asRecord(await work("/api/v1/models/load", body));
  const instance = asText(answer.instance_id) || asText(answer.model_instance_id);
  if (instance !== "" || answer.status === "loaded") {
    const contextWindow = positive(asRecord(answer.load_config).context_length) ?? contextLength;
    return { instance: instance || model, loaded: true, ...withoutUndefined({ contextWindow }) };
  }
  const words = asText(answer.error) || asText(asRecord(answer.error).message);
  if (NO_SUCH_PATH.test(words)) return undefined;
  throw new ServerRefusalError(words || "it did not say why");
}

/** Facts about a model that depend on a loaded instance. */
export function loadedAs(instance: JsonRecord | undefined): Partial<ServerModel> {
  const config = asRecord(instance?.config);
  return withoutUndefined({ contextWindow: positive(config.context_length), slots: positive(config.parallel) });
}
