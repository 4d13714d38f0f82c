import type { RerankerResult } from "@harness/core";
import { EndpointReranker } from "../rerank/endpoint-reranker.ts";
import { namedEndpoint, type Sources } from "./model-question.ts";

/** `name`: the value of the setting `reranker`. */
export type RerankerQuestion = Sources & { name: string };

const USAGE = "none, llamacpp/MODEL, PROVIDER/MODEL";

/** The reranker that a setting names, or a sentence that says what is missing. Asks no server. Never rejects. */
export async function resolveReranker(ask: RerankerQuestion): Promise<RerankerResult> {
  const name = ask.name.trim();
  const found = await namedEndpoint(
    {
      name,
      role: "reranker",
      unknown: `There is no reranker ${JSON.stringify(name)}. The setting takes ${USAGE}.`,
      refusal: ({ vendor, api }) =>
        vendor.program === undefined && (api === "openai-chat" || api === "openai-responses")
          ? undefined
          : `${vendor.name} does not rerank. The setting \`reranker\` takes ${USAGE}.`,
    },
    ask,
  );
  if (!found.ok) return found;
  const { endpoint, model } = found;
  return { ok: true, reranker: new EndpointReranker({ endpoint, model, clock: ask.clock }) };
}
