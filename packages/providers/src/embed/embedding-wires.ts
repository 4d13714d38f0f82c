import { asList, asRecord } from "../json/lenient-json.ts";
import type { Endpoint } from "../wires/endpoint/endpoint.ts";
import type { WireName } from "../wires/endpoint/vendor.ts";
import { ollamaClient } from "../wires/ollama/ollama-client.ts";
import { openAiClient } from "../wires/openai/openai-client.ts";

/** A request as the vendor's client sends it. */
type EmbeddingCall = { body: Record<string, unknown>; endpoint: Endpoint; fetch: typeof fetch };

/** An API that turns texts into vectors. */
export interface EmbeddingWire {
  /** Fields that a server may refuse, and how it complains; the request is then sent without them. */
  readonly optional: Readonly<Record<string, RegExp>>;
  body(model: string, texts: readonly string[], endpoint: Endpoint): Record<string, unknown>;
  /** Sends with the vendor's client, whose own reading of the answer does not matter. */
  send(call: EmbeddingCall): Promise<unknown>;
  /** The vectors of an answer in the order of the texts; undefined: the answer has none. */
  read(answer: unknown): readonly unknown[] | undefined;
}

/** Ollama's docs/api.md, "Generate Embeddings". */
const ollamaEmbed: EmbeddingWire = {
  optional: { truncate: /unknown (field|parameter)\W+truncate/i, keep_alive: /keep_alive/i },
  body: (model, texts, { keepAlive }) => ({
    model,
    input: texts,
    truncate: true,
    ...(keepAlive !== undefined && { keep_alive: /^-?\d+$/.test(keepAlive) ? Number(keepAlive) : keepAlive }),
  }),
  async send({ body, endpoint, fetch }) {
    const client = await ollamaClient(endpoint, fetch);
    return client.embed({ model: "", input: [], ...body });
  },
  read(answer) {
    const { embeddings } = asRecord(answer);
    return Array.isArray(embeddings) ? embeddings : undefined;
  },
};

/** OpenAI's API reference, "Create embeddings", as all compatible servers speak it. */
const openAiEmbeddings: EmbeddingWire = {
  optional: { encoding_format: /encoding_?format|base64/i },
  body: (model, texts) => ({ model, input: texts, encoding_format: "base64" }),
  async send({ body, endpoint, fetch }) {
    const client = await openAiClient(endpoint, fetch);
    return client.post("/embeddings", { body }).asResponse();
  },
  read(answer) {
    const { data } = asRecord(answer);
    if (!Array.isArray(data)) return undefined;
    const items = asList(data).map(asRecord);
    const vectors: unknown[] = items.map(({ embedding }) => embedding);
    // A list in another order says so in its indexes.
    const places = new Set(items.map(({ index }) => index));
    const isIndexed = places.size === items.length && items.every((_, at) => places.has(at));
    if (isIndexed) for (const { index, embedding } of items) vectors[Number(index)] = embedding;
    return vectors;
  },
};

const wires: Readonly<Partial<Record<WireName, EmbeddingWire>>> = {
  ollama: ollamaEmbed,
  "openai-chat": openAiEmbeddings,
  "openai-responses": openAiEmbeddings,
};

/** Undefined: the API has no embeddings. */
export function embeddingWireOf({ api, vendor }: Endpoint): EmbeddingWire | undefined {
  return vendor.program === undefined ? wires[api] : undefined;
}
