import * as z from "zod";
import type { SettingRow } from "./setting-row.ts";

/** Settings of compactions: when, down to what, and by whom. */
export const compactionSettings = {
  auto_compact_enabled: {
    doc: "Summarise older messages when the context window is full to `compact_trigger`.",
    takesEffect: "next request",
    schema: z.boolean(),
    default: true,
    project: "trusted",
  },
  compact_trigger: {
    doc: "How full the usable context window is, in percent, when older messages are summarised.",
    takesEffect: "next request",
    schema: z.number().int().min(30).max(95),
    default: 80,
    project: "trusted",
  },
  compact_target: {
    doc: "How full it may be after that, in percent: results of tools are shortened and replies left out, the oldest first.",
    takesEffect: "next request",
    schema: z.number().int().min(10).max(80),
    default: 40,
    project: "trusted",
  },
  compact_strategy: {
    doc: "How older messages are summarised: `summary` writes one summary; `agent` has the model shorten large results first, then replace the oldest exchanges, in up to eight requests.",
    takesEffect: "next request",
    schema: z.enum(["summary", "agent"]),
    default: "summary",
    project: "trusted",
  },
  compact_model: {
    doc: "The model that writes summaries, such as `qwen3:4b`, or `openrouter/anthropic/claude-haiku-4.5` from another provider; empty: the session's model.",
    takesEffect: "next request",
    schema: z.string(),
    default: "",
    env: "HARNESS_COMPACT_MODEL",
    project: "trusted",
  },
  working_context: {
    doc: "Remind the model of its tasks and files once they are far back in the conversation, and tell it which files have been changed by others.",
    takesEffect: "next request",
    schema: z.boolean(),
    default: true,
    project: "trusted",
  },
} as const satisfies Record<string, SettingRow>;
