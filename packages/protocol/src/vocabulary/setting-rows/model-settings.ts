import * as z from "zod";
import { efforts } from "../../choices.ts";
import type { SettingRow } from "./setting-row.ts";
import { textList } from "./text-list.ts";

const seconds = z.number().int().min(1).max(86_400);
const retries = z.number().int().min(0).max(20);

/** Settings of requests to models, whichever the model is. */
export const modelSettings = {
  provider: {
    title: "Provider",
    group: "Model",
    doc: "Who answers requests to the model. Empty: the first provider that is ready.",
    takesEffect: "next request",
    schema: z.string(),
    default: "",
    env: "HARNESS_PROVIDER",
    project: "trusted",
  },
  model: {
    title: "Model",
    group: "Model",
    doc: "The model's id, spelled as its provider spells it. Empty: the provider's default.",
    takesEffect: "next request",
    schema: z.string(),
    default: "",
    env: "HARNESS_MODEL",
    project: "trusted",
  },
  fallback_models: {
    title: "Fallback models",
    group: "Model",
    doc: "Models that take over for the rest of a message when the one before is overloaded, over its limit or cannot be reached, in this order: `qwen3:8b`, or `openrouter/openai/gpt-5` from another provider, which then gets the conversation.",
    takesEffect: "next request",
    schema: textList,
    default: [],
    env: "HARNESS_FALLBACK_MODELS",
    project: "trusted",
  },
  effort: {
    title: "Thinking effort",
    group: "Model",
    doc: "How much the model thinks before it answers. Empty: the model decides.",
    takesEffect: "next request",
    schema: z.enum(["", ...efforts]),
    default: "",
    project: "trusted",
    olderValues: { off: "none" },
  },
  reasoning_summary: {
    title: "Thinking summary",
    group: "Model",
    doc: "How detailed the summary is where the provider does not show the thinking itself (OpenAI's Responses API).",
    takesEffect: "next request",
    schema: z.enum(["auto", "concise", "detailed", "none"]),
    default: "auto",
    project: "trusted",
  },
  max_output_tokens: {
    title: "Longest reply",
    group: "Model",
    doc: "The most tokens in one reply. Empty: the model decides.",
    takesEffect: "next request",
    schema: z.number().int().min(16).max(1_000_000).nullable(),
    default: null,
    project: "trusted",
  },
  keep_alive: {
    title: "Keep Ollama's model loaded",
    group: "Model",
    doc: "How long Ollama keeps a model in memory after a request: `15m`, `2h`, or `-1` for no limit.",
    takesEffect: "next request",
    schema: z.string().regex(/^-?\d+(ms|s|m|h)?$/, "a number of seconds, or a duration such as 15m"),
    default: "15m",
    project: "trusted",
  },
  request_timeout_secs: {
    title: "Request timeout",
    group: "Model",
    doc: "Give up on a model request after this many seconds without data. Empty: 600 for servers on this machine and in its network; for others 60 until the reply begins, then 120.",
    takesEffect: "next request",
    schema: seconds.nullable(),
    default: null,
    project: "trusted",
  },
  max_retries: {
    title: "Retries per request",
    group: "Model",
    doc: "How often a model request is sent again after a temporary failure.",
    takesEffect: "next request",
    schema: retries,
    default: 4,
    project: "trusted",
  },
  ollama_timeout_secs: {
    title: "Ollama request timeout",
    group: "Model",
    doc: "`request_timeout_secs` for Ollama only. Empty: the same as for other providers.",
    takesEffect: "next request",
    schema: seconds.nullable(),
    default: null,
    project: "trusted",
  },
  ollama_max_retries: {
    title: "Ollama retries per request",
    group: "Model",
    doc: "`max_retries` for Ollama only. Empty: the same as for other providers.",
    takesEffect: "next request",
    schema: retries.nullable(),
    default: null,
    project: "trusted",
  },
} as const satisfies Record<string, SettingRow>;
