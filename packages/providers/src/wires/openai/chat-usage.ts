import type { Usage } from "@harness/protocol";
import { asCount, asRecord, type JsonRecord, withoutUndefined } from "../../json/lenient-json.ts";

/** Usage of chat completions, with the variants of DeepSeek and Moonshot. */
export function chatUsage(usage: JsonRecord): Usage {
  const prompt = asRecord(usage.prompt_tokens_details);
  return withoutUndefined({
    inputTokens: asCount(usage.prompt_tokens),
    outputTokens: outputTokens(usage),
    cacheReadTokens:
      asCount(prompt.cached_tokens) ?? asCount(usage.prompt_cache_hit_tokens) ?? asCount(usage.cached_tokens),
    cacheWriteTokens: asCount(prompt.cache_write_tokens),
    reasoningTokens: asCount(asRecord(usage.completion_tokens_details).reasoning_tokens),
  });
}

/** Thinking counts as output. xAI and Google omit it from the completion count and include it in the total. */
function outputTokens(usage: JsonRecord): number | undefined {
  const completion = asCount(usage.completion_tokens);
  const prompt = asCount(usage.prompt_tokens);
  const total = asCount(usage.total_tokens);
  if (completion === undefined || prompt === undefined || total === undefined) return completion;
  return Math.max(completion, total - prompt);
}

/** llama.cpp's `timings`: which part of the prompt was cached, and which was read. */
export function llamaUsage({ cache_n, prompt_n, predicted_n }: JsonRecord): Usage {
  const cached = asCount(cache_n);
  const read = asCount(prompt_n);
  return withoutUndefined({
    inputTokens: cached === undefined || read === undefined ? undefined : cached + read,
    outputTokens: asCount(predicted_n),
    cacheReadTokens: cached,
  });
}
