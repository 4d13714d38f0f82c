import { asList, asRecord, asText, type JsonRecord, withoutUndefined } from "../json/lenient-json.ts";
import { loadedAs, loadInLmStudio } from "./lmstudio-load.ts";
import { listOpenAi } from "./openai-catalogue.ts";
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

/** The default if the server does not say. Versions before 0.4 serve one request at a time. */
const SLOTS = 1;

/**
 * lmstudio.ai/docs/developer/rest: `/api/v1/models` since 0.4.0, before that `/api/v0/models`. An unknown path is
 * answered with 200 and an error, so only the content shows it. Each is asked only if the previous one has nothing.
 */
export const lmStudioCatalogue: Catalogue = { list, isServer, load: loadInLmStudio, namesAreBinding: true };

async function isServer(ask: Ask): Promise<boolean> {
  const [current, older] = await Promise.all(
    ["/api/v1/models", "/api/v0/models"].map((path) => ask(path).then(asRecord, () => asRecord(undefined))),
  );
  return Array.isArray(current?.models) || Array.isArray(older?.data);
}

async function list(ask: Ask): Promise<ServerModel[]> {
  const current = asRecord(await ask("/api/v1/models").catch(() => undefined));
  if (Array.isArray(current.models)) return chatModels(current.models).flatMap(ofVersion1).filter(canChat);
  const older = asRecord(await ask("/api/v0/models").catch(() => undefined));
  if (Array.isArray(older.data)) return chatModels(older.data).map(ofVersion0).filter(canChat);
  return (await listOpenAi(ask)).map((model) => ({ ...model, slots: SLOTS }));
}

function chatModels(entries: unknown): JsonRecord[] {
  return entriesOf(entries).filter((each) => !/^embeddings?$/.test(asText(each.type)));
}

/**
 * A model may be loaded several times with different context windows; requests by its name go to the first. A model
 * that was loaded under an additional name is listed under that name too.
 */
function ofVersion1(entry: JsonRecord): ServerModel[] {
  const key = asText(entry.key);
  const capabilities = asRecord(entry.capabilities);
  const shared = withoutUndefined({
    abilities: abilitiesOf({
      tools: toolsIf(capabilities.trained_for_tool_use === true),
      images: flag(capabilities.vision),
      thinking: capabilities.reasoning === undefined ? undefined : Boolean(capabilities.reasoning),
    }),
  });
  const instances = asList(entry.loaded_instances).map(asRecord);
  const named = instances.filter(({ id }) => asText(id) !== key && !asText(id).startsWith(`${key}:`));
  const [first] = instances;
  const state = first ? { loaded: true } : { loaded: false, loads: true as const };
  return [
    { id: key, ...state, slots: SLOTS, ...shared, ...loadedAs(first) },
    ...named.map((each) => ({ id: asText(each.id), loaded: true, slots: SLOTS, ...shared, ...loadedAs(each) })),
  ];
}

function ofVersion0(entry: JsonRecord): ServerModel {
  const capabilities = asList(entry.capabilities);
  return {
    id: asText(entry.id),
    loaded: entry.state === "loaded",
    slots: SLOTS,
    ...withoutUndefined({
      contextWindow: positive(entry.loaded_context_length),
      abilities: abilitiesOf({
        tools: toolsIf(capabilities.includes("tool_use")),
        images: asText(entry.type) === "" ? undefined : entry.type === "vlm",
        thinking: undefined,
      }),
    }),
  };
}

/** With a prompt of its own, LM Studio also offers tools to models that were not trained for them. */
function toolsIf(isTrained: boolean): true | undefined {
  return isTrained || undefined;
}
