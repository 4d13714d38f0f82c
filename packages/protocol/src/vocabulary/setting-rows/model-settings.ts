import * as z from "zod";
import { efforts } from "../../choices.ts";
import type { SettingRow } from "./setting-row.ts";

const tokens = z.number().int().min(1024).max(10_000_000);
const seconds = z.number().int().min(1).max(86_400);
const retries = z.number().int().min(0).max(20);

/** Settings of requests to models, whichever the model is. */
export const modelSettings = {
  effort: {
    doc: "How long the model may think before it answers; empty leaves it to the model.",
    takesEffect: "next request",
    schema: z.enum(["", ...efforts]),
    default: "",
    project: "trusted",
    olderValues: { off: "none" },
  },
  reasoning_summary: {
    doc: "How detailed a summary of its thoughts the model gives, where the vendor keeps the thoughts themselves (OpenAI's Responses).",
    takesEffect: "next request",
    schema: z.enum(["auto", "concise", "detailed", "none"]),
    default: "auto",
    project: "trusted",
  },
  extract_files_above: {
    doc: "Read files with more lines as an extract: in a separate request the model, or `compact_model`, chooses the lines that matter for the task. 0: never.",
    takesEffect: "next request",
    schema: z.number().int().min(0).max(1_000_000),
    default: 0,
    project: "trusted",
  },
  context_limit: {
    doc: "Context window in tokens, where you know better than the server; empty asks the server.",
    takesEffect: "next request",
    schema: tokens.nullable(),
    default: null,
    project: "any",
  },
  max_output_tokens: {
    doc: "The most tokens that one reply may have; empty leaves it to the model.",
    takesEffect: "next request",
    schema: z.number().int().min(16).max(1_000_000).nullable(),
    default: null,
    project: "trusted",
  },
  keep_alive: {
    doc: "How long Ollama keeps a model in memory after a request, such as `15m`, `2h` or `-1` for ever.",
    takesEffect: "next request",
    schema: z.string().regex(/^-?\d+(ms|s|m|h)?$/, "a number of seconds, or a duration such as 15m"),
    default: "15m",
    project: "trusted",
  },
  request_timeout_secs: {
    doc: "Seconds without a sign of life after which a model request is given up; empty: 600 on this machine and in its network, elsewhere 60 until the answer begins and 120 within it.",
    takesEffect: "next request",
    schema: seconds.nullable(),
    default: null,
    project: "trusted",
  },
  max_retries: {
    doc: "How often a model request that failed for a passing reason is sent again.",
    takesEffect: "next request",
    schema: retries,
    default: 4,
    project: "trusted",
  },
  ollama_timeout_secs: {
    doc: "The same as `request_timeout_secs` for Ollama alone; empty: no other.",
    takesEffect: "next request",
    schema: seconds.nullable(),
    default: null,
    project: "trusted",
  },
  ollama_max_retries: {
    doc: "The same as `max_retries` for Ollama alone; empty: no other.",
    takesEffect: "next request",
    schema: retries.nullable(),
    default: null,
    project: "trusted",
  },
} as const satisfies Record<string, SettingRow>;
