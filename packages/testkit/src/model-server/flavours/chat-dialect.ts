import type { ScriptedStop } from "../story/reply.ts";

/**
 * The differences between a vendor's stream of chat completions and OpenAI's, according to its own documentation.
 * Absent fields: like OpenAI.
 */
export interface ChatDialect {
  /**
   * How thinking is carried: a field of the delta; `parts`: `content` is a list with a part of type `thinking`
   * (Mistral); `thought`: content between `<thought>` tags, marked by `extra_content.google.thought` (Gemini).
   */
  thinking: "reasoning_content" | "reasoning" | "parts" | "thought";
  /**
   * Where the counts are: in a separate chunk on request; always in the chunk with the finish reason; or under `x_groq`
   * there.
   */
  usage?: "own" | "finish" | "x_groq";
  /** The separate chunk is sent without a request (OpenRouter). */
  usageUnasked?: true;
  /** Every other chunk then says `usage: null` (OpenAI itself). */
  usageNull?: true;
  /** `completion_tokens` excludes thinking; only the total includes it (xAI, Gemini). */
  thinkingNotCounted?: true;
  /** Cached and reasoning tokens are not reported separately. */
  usageDetails?: "none";
  /** Additional fields in which cached tokens are reported. */
  cacheFields?: "prompt_cache";
  /** A call arrives in one chunk, including its arguments. */
  wholeCalls?: true;
  /** The `index` of every call: always 0 (Gemini). */
  callIndex?: "zero";
  /** For models with this prefix, a last detail of reasoning carries the signature of all before it (OpenRouter). */
  signedThinking?: string;
  /** Calls carry `extra_content.google.thought_signature`, which must be returned. */
  signedCalls?: true;
  /** Call ids are nine letters or digits, and others are refused (Mistral). */
  nineCharacterIds?: true;
  /** The last chunk has llama.cpp's `timings`, and `return_progress` is understood. */
  llamaTimings?: true;
  finishReasons?: Partial<Record<ScriptedStop, string>>;
}
