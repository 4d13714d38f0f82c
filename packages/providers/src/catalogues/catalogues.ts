import type { CatalogueName } from "../wires/endpoint/vendor.ts";
import { anthropicCatalogue } from "./anthropic-catalogue.ts";
import { llamaCppCatalogue } from "./llamacpp-catalogue.ts";
import { lmStudioCatalogue } from "./lmstudio-catalogue.ts";
import { ollamaCatalogue } from "./ollama-catalogue.ts";
import { openAiCatalogue } from "./openai-catalogue.ts";
import type { Catalogue } from "./server-model.ts";

/** How each kind of server is asked about its models: one row a kind, one file a row. */
export const catalogues: Readonly<Record<CatalogueName, Catalogue>> = {
  ollama: ollamaCatalogue,
  llamacpp: llamaCppCatalogue,
  lmstudio: lmStudioCatalogue,
  openai: openAiCatalogue,
  anthropic: anthropicCatalogue,
  none: { list: async () => [] },
};
