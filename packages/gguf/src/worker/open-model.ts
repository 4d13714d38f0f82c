import { availableParallelism } from "node:os";
import type { Llama, LlamaContext, LlamaModel, LlamaModule } from "./llama-module.ts";
import type { LoadMessage, Report } from "./messages.ts";

/** A smaller context window is useless: the prompt alone takes more. */
const MIN_CONTEXT_WINDOW = 512;
/** The rest is a reserve. */
const SHARE_OF_MEMORY = 0.9;
const LOG_LEVELS = new Set(["warn", "error", "fatal"]);

export type Unloadable = Extract<Report, { type: "unloadable" }>;

export type OpenModel = {
  module: LlamaModule;
  llama: Llama;
  model: LlamaModel;
  context: LlamaContext;
  threads: number;
  slots: number;
};

/** Loads the runtime, the model, and the largest context window up to the wanted one that memory allows. */
export async function openModel(order: LoadMessage): Promise<OpenModel | Unloadable> {
  const started = await startLlama(order);
  if ("type" in started) return started;
  const { module, llama } = started;
  try {
    const model = await llama.loadModel({ modelPath: order.path });
    const threads = order.threads ?? Math.max(1, Math.min(llama.cpuMathCores, availableParallelism()));
    const opened = await openContext({ model, llama, threads, module }, order);
    return opened ? { module, llama, model, threads, ...opened } : tooLarge();
  } catch (error) {
    return unloadable(error instanceof module.InsufficientMemoryError ? "memory" : "model", error);
  }
}

/** Loads the runtime. */
export async function startLlama(order: LoadMessage): Promise<Pick<OpenModel, "module" | "llama"> | Unloadable> {
  try {
    const module: LlamaModule = await import(order.runtime);
    const llama = await module.getLlama({
      gpu: order.gpu,
      build: "never",
      skipDownload: true,
      progressLogs: false,
      ...(order.threads !== undefined && { maxThreads: order.threads }),
      logger: (level, message) => {
        if (LOG_LEVELS.has(level)) process.stderr.write(`${message.trimEnd()}\n`);
      },
    });
    return { module, llama };
  } catch (error) {
    return unloadable("runtime", error);
  }
}

type LoadedLlama = Pick<OpenModel, "model" | "llama" | "threads" | "module">;

/** Gives up a second slot before it shrinks the context window. */
async function openContext(
  loaded: LoadedLlama,
  order: LoadMessage,
): Promise<Pick<OpenModel, "context" | "slots"> | undefined> {
  const wanted = Math.min(order.contextWindow, loaded.model.trainContextSize);
  for (let slots = order.slots; slots > 1; slots -= 1) {
    const context = await contextOf(loaded, wanted, slots);
    if (context) return { context, slots };
  }
  for (let window = wanted; window >= Math.min(wanted, MIN_CONTEXT_WINDOW); window = Math.floor(window / 2)) {
    const context = await contextOf(loaded, window, 1);
    if (context) return { context, slots: 1 };
  }
  return undefined;
}

async function contextOf(loaded: LoadedLlama, contextSize: number, slots: number): Promise<LlamaContext | undefined> {
  const { model, llama, threads, module } = loaded;
  if (llama.gpu === false) {
    const { cpuRam } = await model.fileInsights.estimateContextResourceRequirementsV2({
      contextSize,
      modelGpuLayers: model.gpuLayers,
      sequences: slots,
    });
    if (cpuRam > process.availableMemory() * SHARE_OF_MEMORY) return undefined;
  }
  try {
    return await model.createContext({ contextSize, sequences: slots, threads, failedCreationRemedy: false });
  } catch (error) {
    if (error instanceof module.InsufficientMemoryError) return undefined;
    // llama.cpp reports a failed allocation only as a context that could not be created.
    if (/failed to create context/i.test(String(error)) && contextSize > MIN_CONTEXT_WINDOW) return undefined;
    throw error;
  }
}

function tooLarge(): Unloadable {
  return {
    type: "unloadable",
    cause: "memory",
    message: `no memory is left for a window of ${MIN_CONTEXT_WINDOW} tokens`,
  };
}

export function unloadable(cause: Unloadable["cause"], error: unknown): Unloadable {
  return { type: "unloadable", cause, message: error instanceof Error ? error.message : String(error) };
}
