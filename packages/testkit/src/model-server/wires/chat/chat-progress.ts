import type { ScriptedReply } from "../../story/reply.ts";

/** llama.cpp reads a prompt in batches of this size (`n_batch`). */
const BATCH_TOKENS = 2_048;
const MS_PER_TOKEN = 0.5;

/**
 * llama.cpp's progress reports while it reads a prompt (`return_progress`, tools/server/README.md): one object before the
 * first batch and one after each. `total` and `processed` count what the cache already had.
 */
export function promptProgress(
  reply: ScriptedReply,
): { total: number; cache: number; processed: number; time_ms: number }[] {
  const total = Math.max(reply.usage?.inputTokens ?? 0, 0);
  const cache = Math.min(Math.max(reply.usage?.cachedTokens ?? 0, 0), total);
  const steps = [cache];
  for (let read = cache; read < total; ) {
    read = Math.min(read + BATCH_TOKENS, total);
    steps.push(read);
  }
  return steps.map((processed) => ({ total, cache, processed, time_ms: (processed - cache) * MS_PER_TOKEN }));
}

/** The times in the last chunk of llama.cpp. Counts that are null in the scenario are null here too. */
export function llamaTimings(reply: ScriptedReply): Record<string, unknown> {
  if (reply.usage === undefined) return {};
  const { inputTokens, cachedTokens, outputTokens } = reply.usage;
  const read = inputTokens === null ? null : inputTokens - (cachedTokens ?? 0);
  return {
    timings: {
      cache_n: cachedTokens,
      prompt_n: read,
      prompt_ms: (read ?? 0) * MS_PER_TOKEN,
      prompt_per_token_ms: MS_PER_TOKEN,
      prompt_per_second: 1000 / MS_PER_TOKEN,
      predicted_n: outputTokens,
      predicted_ms: (outputTokens ?? 0) * 10,
      predicted_per_token_ms: 10,
      predicted_per_second: 100,
    },
  };
}
