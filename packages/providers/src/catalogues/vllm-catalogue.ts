import { asList, asRecord, asText } from "../json/lenient-json.ts";
import { listOpenAi } from "./openai-catalogue.ts";
import type { Catalogue } from "./server-model.ts";

/** docs.vllm.ai, "OpenAI-Compatible Server": its list of models names their owner. */
export const vllmCatalogue: Catalogue = {
  list: listOpenAi,
  async isServer(ask) {
    return asList(asRecord(await ask("/v1/models")).data).some((each) => asText(asRecord(each).owned_by) === "vllm");
  },
};
