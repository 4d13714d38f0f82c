/** How texts are prepared for a model, and the vectors that come back, as its model card says. */
type EmbeddingModel = {
  /** Its name, as servers and files write it, anywhere in an id; case does not matter. */
  pattern: RegExp;
  dimensions: number;
  /** The longest input in tokens. */
  maxTokens: number;
  /** Put before each text that is searched; absent: none. */
  document?: string;
  /** Put before each question; absent: none. */
  query?: string;
};

const RETRIEVAL = "Represent this sentence for searching relevant passages: ";
const CODE_RETRIEVAL = "Represent this query for searching relevant code: ";
const NOMIC = { document: "search_document: ", query: "search_query: " };
const E5 = { document: "passage: ", query: "query: " };
const JINA_CODE = {
  document: "Candidate code snippet:\n",
  query: "Find the most relevant code snippet given the following query:\n",
};
/** The cards of instructed models ask for a description of the task, in English. */
const TASK = "Instruct: Given a question about a code base, retrieve the code and documentation that answer it\nQuery:";

/**
 * The first row whose pattern fits holds: those of special variants come before those of their families. Compared on
 * 2026-11-28: nomic-embed-text (its card; v2-moe takes 512 tokens), mxbai-embed-large (mixedbread.ai/docs), bge-*-en-v1.5
 * and multilingual-e5-large-instruct (their cards), mistral-embed and codestral-embed (docs.mistral.ai; the second has
 * 1,536 dimensions unless it is asked for others).
 */
const embeddingModels: readonly EmbeddingModel[] = [
  { pattern: /coderankembed/, dimensions: 768, maxTokens: 8192, query: CODE_RETRIEVAL },
  { pattern: /nomic-embed-code/, dimensions: 3584, maxTokens: 8192, query: CODE_RETRIEVAL },
  { pattern: /nomic-embed-text-v2/, dimensions: 768, maxTokens: 512, ...NOMIC },
  // Ollama runs it with 2,048 of its 8,192 tokens.
  { pattern: /nomic-embed-text/, dimensions: 768, maxTokens: 2048, ...NOMIC },
  { pattern: /mxbai-embed-large/, dimensions: 1024, maxTokens: 512, query: RETRIEVAL },
  { pattern: /mxbai-embed-xsmall/, dimensions: 384, maxTokens: 4096, query: RETRIEVAL },
  { pattern: /bge-m3/, dimensions: 1024, maxTokens: 8192 },
  { pattern: /bge-large-en/, dimensions: 1024, maxTokens: 512, query: RETRIEVAL },
  { pattern: /bge-base-en/, dimensions: 768, maxTokens: 512, query: RETRIEVAL },
  { pattern: /bge-small-en/, dimensions: 384, maxTokens: 512, query: RETRIEVAL },
  { pattern: /bge-large(?!-)/, dimensions: 1024, maxTokens: 512, query: RETRIEVAL },
  { pattern: /arctic-embed-l-v2|arctic-embed2/, dimensions: 1024, maxTokens: 8192, query: "query: " },
  { pattern: /arctic-embed-m-v2/, dimensions: 768, maxTokens: 8192, query: "query: " },
  { pattern: /arctic-embed-m-long|arctic-embed:137m/, dimensions: 768, maxTokens: 2048, query: RETRIEVAL },
  { pattern: /arctic-embed-m|arctic-embed:110m/, dimensions: 768, maxTokens: 512, query: RETRIEVAL },
  { pattern: /arctic-embed-(xs|s)|arctic-embed:(22|33)m/, dimensions: 384, maxTokens: 512, query: RETRIEVAL },
  { pattern: /arctic-embed/, dimensions: 1024, maxTokens: 512, query: RETRIEVAL },
  { pattern: /e5-large-instruct/, dimensions: 1024, maxTokens: 512, query: TASK.replace("Query:", "Query: ") },
  { pattern: /\be5-large/, dimensions: 1024, maxTokens: 512, ...E5 },
  { pattern: /\be5-base/, dimensions: 768, maxTokens: 512, ...E5 },
  { pattern: /\be5-small/, dimensions: 384, maxTokens: 512, ...E5 },
  { pattern: /qwen3-embedding.0\.6b/, dimensions: 1024, maxTokens: 8192, query: TASK },
  { pattern: /qwen3-embedding.4b/, dimensions: 2560, maxTokens: 8192, query: TASK },
  { pattern: /qwen3-embedding(.8b|$|:latest)/, dimensions: 4096, maxTokens: 8192, query: TASK },
  {
    pattern: /embedding-?gemma/,
    dimensions: 768,
    maxTokens: 2048,
    document: "title: none | text: ",
    query: "task: code retrieval | query: ",
  },
  { pattern: /jina-code-embeddings-0\.5b/, dimensions: 896, maxTokens: 8192, ...JINA_CODE },
  { pattern: /jina-code-embeddings-1\.5b/, dimensions: 1536, maxTokens: 8192, ...JINA_CODE },
  { pattern: /jina-embeddings-v2-base/, dimensions: 768, maxTokens: 8192 },
  { pattern: /granite-embedding[:-](30m|small)/, dimensions: 384, maxTokens: 512 },
  { pattern: /granite-embedding[:-](125m|278m)/, dimensions: 768, maxTokens: 512 },
  { pattern: /all-minilm/, dimensions: 384, maxTokens: 256 },
  { pattern: /text-embedding-3-large/, dimensions: 3072, maxTokens: 8191 },
  { pattern: /text-embedding-3-small|text-embedding-ada-002/, dimensions: 1536, maxTokens: 8191 },
  { pattern: /gemini-embedding-001/, dimensions: 3072, maxTokens: 2048 },
  { pattern: /mistral-embed/, dimensions: 1024, maxTokens: 8192 },
  { pattern: /codestral-embed/, dimensions: 1536, maxTokens: 8192 },
];

/** A text of an unknown model is sent as it is, at a length that almost every model takes. */
const UNKNOWN_TOKENS = 512;

/** A model that no row knows: its dimensions are those of its first answer. */
export type ModelPreparation = Omit<EmbeddingModel, "pattern" | "dimensions"> & { dimensions?: number };

/** By the id of a model at any server, or the name of its file. */
export function preparationFor(model: string): ModelPreparation {
  const id = model.toLowerCase().replaceAll("_", "-");
  return embeddingModels.find(({ pattern }) => pattern.test(id)) ?? { maxTokens: UNKNOWN_TOKENS };
}
