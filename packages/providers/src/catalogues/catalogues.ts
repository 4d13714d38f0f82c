import type { CatalogueName } from "../wires/endpoint/vendor.ts";
import { anthropicCatalogue } from "./anthropic-catalogue.ts";
import { llamaCppCatalogue } from "./llamacpp-catalogue.ts";
import { lmStudioCatalogue } from "./lmstudio-catalogue.ts";
import { ollamaCatalogue } from "./ollama-catalogue.ts";
import { openAiCatalogue } from "./openai-catalogue.ts";
import type { Catalogue } from "./server-model.ts";
import { vllmCatalogue } from "./vllm-catalogue.ts";

/** The ways to list a server's models: one row and one file per kind of server. */
export const catalogues: Readonly<Record<CatalogueName, Catalogue>> = {
  ollama: ollamaCatalogue,
  llamacpp: llamaCppCatalogue,
  lmstudio: lmStudioCatalogue,
  vllm: vllmCatalogue,
  openai: openAiCatalogue,
  anthropic: anthropicCatalogue,
  none: { list: async () => [] },
};
