import { asList, asRecord } from "../json/lenient-json.ts";

type RerankRequest = { model: string; question: string; texts: readonly string[] };

/** A request as some servers take it. */
export type RerankForm = {
  /** From the address of the provider. */
  url(baseUrl: string): string;
  body(request: RerankRequest): Record<string, unknown>;
};

/** The first form that a server does not refuse holds. */
export const rerankForms: readonly RerankForm[] = [
  // Jina's API (api.jina.ai/redoc, "rerank"); Cohere, vLLM, llama.cpp with --reranking, LiteLLM and Infinity take the same.
  {
    url: (baseUrl) => `${baseUrl.replace(/\/+$/, "")}/rerank`,
    body: ({ model, question, texts }) => ({ model, query: question, documents: texts, top_n: texts.length }),
  },
  // The OpenAPI of text-embeddings-inference, "Get Ranks".
  {
    url: (baseUrl) => new URL("/rerank", baseUrl).href,
    body: ({ question, texts }) => ({ query: question, texts, truncate: true }),
  },
];

/** The scores in the order of the texts; undefined: the answer does not have one for each. */
export function scoresIn(answer: unknown, count: number): number[] | undefined {
  const { results, data } = asRecord(answer);
  const items = asList(Array.isArray(answer) ? answer : (results ?? data)).map(asRecord);
  const scores = new Map<unknown, number>();
  for (const { index, relevance_score: relevance, score } of items) scores.set(index, Number(relevance ?? score));
  const ordered = Array.from({ length: count }, (_, at) => scores.get(at) ?? Number.NaN);
  return ordered.every(Number.isFinite) ? ordered : undefined;
}
