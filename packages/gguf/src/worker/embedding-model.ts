import { constants, setPriority } from "node:os";
import type { LoadMessage, Report } from "./messages.ts";
import { startLlama, type Unloadable, unloadable } from "./open-model.ts";

/** A loaded model that makes vectors, one text after the other. */
export type VectorModel = {
  maxTokens: number;
  vector(text: string): Promise<ArrayLike<number>>;
};

/** Tokens that a model puts around a text. */
const FRAME = 3;

export async function openEmbedding(order: LoadMessage): Promise<VectorModel | Unloadable> {
  try {
    // An index is filled while people work.
    setPriority(constants.priority.PRIORITY_LOW);
  } catch {
    // A system that forbids it runs it as anything else.
  }
  return order.use === "sentences" ? openSentences(order) : openFile(order);
}

/** The vectors of all texts, or why there are none. */
export async function vectorsOf(
  model: VectorModel,
  id: number,
  texts: readonly string[],
  signal: AbortSignal,
): Promise<Report> {
  const vectors: string[] = [];
  try {
    for (const text of texts) {
      if (signal.aborted) break;
      vectors.push(Buffer.from(Float32Array.from(await model.vector(text)).buffer).toString("base64"));
      // A cancellation that arrived meanwhile is read between two texts.
      await new Promise((resolve) => setImmediate(resolve));
    }
    return { type: "embedded", id, vectors };
  } catch (error) {
    return { type: "refused", id, fault: "broken", message: error instanceof Error ? error.message : String(error) };
  }
}

async function openFile(order: LoadMessage): Promise<VectorModel | Unloadable> {
  // With more threads, those that wait for each other keep the processors busy.
  const started = await startLlama({ ...order, threads: order.threads ?? 1 });
  if ("type" in started) return started;
  const { llama, module } = started;
  try {
    const model = await llama.loadModel({ modelPath: order.path });
    const maxTokens = Math.min(order.contextWindow, model.trainContextSize);
    // An input must be shorter than the context.
    const contextSize = maxTokens + 1;
    const threads = order.threads ?? 1;
    const context = await model.createEmbeddingContext({ contextSize, batchSize: contextSize, threads });
    const vector = async (text: string) => {
      const tokens = model.tokenize(text).slice(0, Math.max(1, maxTokens - FRAME));
      return (await context.getEmbeddingFor(tokens)).vector;
    };
    return { maxTokens, vector };
  } catch (error) {
    return unloadable(error instanceof module.InsufficientMemoryError ? "memory" : "model", error);
  }
}

// The parts of @lat.md/embed 0.2.0 that are used here. It is installed on request and not a dependency.
type SentenceModel = { maxTokens: number };
type SentenceEmbedder = { embed(texts: string[]): Promise<number[][]> };
type SentenceModule = { createEmbedder(options: { model: SentenceModel }): Promise<SentenceEmbedder> };

async function openSentences(order: LoadMessage): Promise<VectorModel | Unloadable> {
  let module: SentenceModule;
  let files: { default: SentenceModel };
  try {
    [module, files] = await Promise.all([import(order.runtime), import(order.path)]);
  } catch (error) {
    return unloadable("runtime", error);
  }
  try {
    const embedder = await module.createEmbedder({ model: files.default });
    const { maxTokens } = files.default;
    return { maxTokens, vector: async (text) => (await embedder.embed([text]))[0] ?? [] };
  } catch (error) {
    return unloadable("model", error);
  }
}
