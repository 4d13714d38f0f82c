import { llamaModule } from "../runtime/llama-recipe.ts";
import type { LoadMessage } from "../worker/messages.ts";
import type { EngineSettings } from "./engine.ts";
import { keepAliveMs } from "./keep-alive.ts";

/**
 * The default: one slot for the session and one for a subagent or a title, so that neither evicts the other's cache.
 */
const USUAL_SLOTS = 2;
const MAX_SLOTS = 8;

export type EngineOptions = {
  path: string;
  contextWindow: number;
  runtimeFolder: string;
  env: EngineSettings["env"];
  /** How long the model stays in memory after a request, such as `15m`, or `-1`. */
  keepAlive?: string | undefined;
};

/** Engine settings from the variables of the environment. */
export function engineSettings({ path, contextWindow, runtimeFolder, env, keepAlive }: EngineOptions): EngineSettings {
  const threads = countOf(env.HARNESS_GGUF_THREADS);
  return {
    path,
    runtime: llamaModule(runtimeFolder),
    contextWindow,
    slots: Math.min(countOf(env.HARNESS_GGUF_SLOTS) ?? USUAL_SLOTS, MAX_SLOTS),
    gpu: gpuOf(env.HARNESS_GGUF_GPU),
    ...(threads !== undefined && { threads }),
    env,
    keepAliveMs: keepAliveMs(keepAlive),
  };
}

/** An embedding model reads one text at a time, with one thread unless the variable says otherwise. */
export function embeddingSettings(
  options: Omit<EngineOptions, "runtimeFolder"> & Pick<LoadMessage, "use" | "runtime">,
): EngineSettings {
  const { keepAlive, ...order } = options;
  const { env } = order;
  const threads = countOf(env.HARNESS_GGUF_THREADS) ?? 1;
  return { ...order, slots: 1, gpu: gpuOf(env.HARNESS_GGUF_GPU), threads, keepAliveMs: keepAliveMs(keepAlive) };
}

/** Apple silicon has no build without a GPU. */
function gpuOf(setting = ""): "auto" | false {
  if (process.platform === "darwin" && process.arch === "arm64") return "auto";
  return ["", "0", "off", "false", "no"].includes(setting.trim().toLowerCase()) ? false : "auto";
}

function countOf(text: string | undefined): number | undefined {
  const count = Number(text);
  return Number.isInteger(count) && count > 0 ? count : undefined;
}
