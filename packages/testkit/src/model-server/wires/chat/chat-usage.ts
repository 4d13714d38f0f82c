import type { ChatDialect } from "../../flavours/chat-dialect.ts";
import type { ReplyUsage, ScriptedReply } from "../../story/reply.ts";

type Json = Record<string, unknown>;

/**
 * The counts as a vendor reports them. Vendors that exclude thinking from the completion still include it in the total.
 */
export function usageFields(usage: ReplyUsage, dialect: ChatDialect): Json {
  const { inputTokens, outputTokens, cachedTokens, cacheWriteTokens, reasoningTokens } = usage;
  const apart = dialect.thinkingNotCounted ? Math.max(reasoningTokens ?? 0, 0) : 0;
  const total = inputTokens === null || outputTokens === null ? null : inputTokens + outputTokens;
  const counts = {
    prompt_tokens: inputTokens,
    completion_tokens: outputTokens === null ? null : outputTokens - apart,
    total_tokens: total,
  };
  if (dialect.usageDetails === "none") return counts;
  const cache: Json =
    dialect.cacheFields === "prompt_cache"
      ? { prompt_cache_hit_tokens: cachedTokens, prompt_cache_miss_tokens: difference(inputTokens, cachedTokens) }
      : {
          prompt_tokens_details: {
            cached_tokens: cachedTokens,
            ...(cacheWriteTokens && { cache_write_tokens: cacheWriteTokens }),
          },
        };
  return {
    ...counts,
    ...cache,
    completion_tokens_details: { reasoning_tokens: reasoningTokens },
  };
}

/** The usage in the chunk that has the finish reason. */
export function closingUsage(reply: ScriptedReply, dialect: ChatDialect): Json {
  if (dialect.usage === undefined || dialect.usage === "own") return {};
  const usage = reply.usage && { usage: usageFields(reply.usage, dialect) };
  if (dialect.usage === "finish") return usage ?? {};
  return { x_groq: { id: `req_${reply.number}`, ...usage } };
}

function difference(whole: number | null, part: number | null): number | null {
  return whole === null || part === null ? null : whole - part;
}
