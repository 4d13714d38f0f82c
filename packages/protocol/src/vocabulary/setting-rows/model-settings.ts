import * as z from "zod";
import { efforts } from "../../choices.ts";
import type { SettingRow } from "./setting-row.ts";

const seconds = z.number().int().min(1).max(86_400);
const retries = z.number().int().min(0).max(20);

/** Settings of requests to models, whichever the model is. */
export const modelSettings = {
  provider: {
    title: "Provider",
    group: "Model",
    doc: "Which vendor answers: empty takes the first one that is ready.",
    takesEffect: "next request",
    schema: z.string(),
    default: "",
    env: "HARNESS_PROVIDER",
    project: "trusted",
  },
  model: {
    title: "Model",
    group: "Model",
    doc: "Model id as its vendor spells it; empty takes the vendor's default.",
    takesEffect: "next request",
    schema: z.string(),
    default: "",
    env: "HARNESS_MODEL",
    project: "trusted",
  },
  effort: {
    title: "Thinking effort",
    group: "Model",
    doc: "How long the model may think before it answers; empty leaves it to the model.",
    takesEffect: "next request",
    schema: z.enum(["", ...efforts]),
    default: "",
    project: "trusted",
    olderValues: { off: "none" },
  },
  reasoning_summary: {
    title: "Summary of thinking",
    group: "Model",
    doc: "How detailed a summary of its thoughts the model gives, where the vendor keeps the thoughts themselves (OpenAI's Responses).",
    takesEffect: "next request",
    schema: z.enum(["auto", "concise", "detailed", "none"]),
    default: "auto",
    project: "trusted",
  },
  max_output_tokens: {
    title: "Longest reply",
    group: "Model",
    doc: "The most tokens that one reply may have; empty leaves it to the model.",
    takesEffect: "next request",
    schema: z.number().int().min(16).max(1_000_000).nullable(),
    default: null,
    project: "trusted",
  },
  keep_alive: {
    title: "Keep Ollama's model loaded",
    group: "Model",
    doc: "How long Ollama keeps a model in memory after a request, such as `15m`, `2h` or `-1` for ever.",
    takesEffect: "next request",
    schema: z.string().regex(/^-?\d+(ms|s|m|h)?$/, "a number of seconds, or a duration such as 15m"),
    default: "15m",
    project: "trusted",
  },
  request_timeout_secs: {
    title: "Request timeout",
    group: "Model",
    doc: "Seconds without a sign of life after which a model request is given up; empty: 600 on this machine and in its network, elsewhere 60 until the answer begins and 120 within it.",
    takesEffect: "next request",
    schema: seconds.nullable(),
    default: null,
    project: "trusted",
  },
  max_retries: {
    title: "Retries of a request",
    group: "Model",
    doc: "How often a model request that failed for a passing reason is sent again.",
    takesEffect: "next request",
    schema: retries,
    default: 4,
    project: "trusted",
  },
  ollama_timeout_secs: {
    title: "Request timeout of Ollama",
    group: "Model",
    doc: "The same as `request_timeout_secs` for Ollama alone; empty: no other.",
    takesEffect: "next request",
    schema: seconds.nullable(),
    default: null,
    project: "trusted",
  },
  ollama_max_retries: {
    title: "Retries with Ollama",
    group: "Model",
    doc: "The same as `max_retries` for Ollama alone; empty: no other.",
    takesEffect: "next request",
    schema: retries.nullable(),
    default: null,
    project: "trusted",
  },
} as const satisfies Record<string, SettingRow>;
