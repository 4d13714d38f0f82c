import { asRecord, asText, type JsonRecord, withoutUndefined } from "../json/lenient-json.ts";
import { type Ask, abilitiesOf, type Catalogue, entriesOf, flag, positive, type ServerModel } from "./server-model.ts";

/** More pages indicate a broken server. */
const MAX_PAGES = 20;

/** platform.claude.com, "List Models": pages of at most 1,000. */
export const anthropicCatalogue: Catalogue = {
  async list(ask: Ask): Promise<ServerModel[]> {
    const models: ServerModel[] = [];
    let after = "";
    for (let page = 0; page < MAX_PAGES; page += 1) {
      const answer = asRecord(await ask(`/v1/models?limit=1000${after}`));
      models.push(...entriesOf(answer.data).map(modelOf));
      const last = asText(answer.last_id);
      if (answer.has_more !== true || last === "") break;
      after = `&after_id=${encodeURIComponent(last)}`;
    }
    return models.filter(({ id }) => id !== "");
  },
};

/** Compatible servers without limits and capabilities report only the id. */
function modelOf(entry: JsonRecord): ServerModel {
  const capabilities = asRecord(entry.capabilities);
  const supports = (name: string) => flag(asRecord(capabilities[name]).supported);
  return {
    id: asText(entry.id),
    ...withoutUndefined({
      contextWindow: positive(entry.max_input_tokens),
      outputTokens: positive(entry.max_tokens),
      abilities: abilitiesOf({
        tools: undefined,
        images: supports("image_input"),
        thinking: supports("thinking"),
      }),
    }),
  };
}
