import * as z from "zod";

/**
 * A fault prevents the turn from arriving completely. The attempt does not use up the turn: the next request of the
 * lane gets the same turn, with the fault again for `times` attempts, then as written. A turn that contains only a
 * fault is used up by its last faulted attempt.
 */
const times = z.union([z.int().min(1), z.literal("always")]).default(1);
/**
 * Events (SSE, the first is the role chunk) or lines (NDJSON) that are sent before the fault, at most all except the
 * closing ones.
 */
const afterEvents = z.int().min(0);
const retryAfter = z.union([z.string(), z.number()]);

const OVERFLOW_WORDS = [
  "openai",
  "responses",
  "openrouter",
  "anthropic",
  "google",
  "groq",
  "deepseek",
  "mistral",
  "xai",
  "fireworks",
  "zai",
  "ollama",
  "llamacpp",
  "lmstudio",
  "vllm",
] as const;
export type OverflowWords = (typeof OVERFLOW_WORDS)[number];

export const faultSchema = z.discriminatedUnion("kind", [
  /** A response with this status. Without `body`: the vendor's own error object (502: an HTML page, 413: nothing). */
  z.strictObject({
    kind: z.literal("status"),
    times,
    status: z.int().min(200).max(599),
    retryAfter: retryAfter.optional(),
    headers: z.record(z.string(), z.string()).optional(),
    message: z.string().optional(),
    body: z.union([z.string(), z.record(z.string(), z.unknown())]).optional(),
  }),
  /** The refusal of an overlong prompt, in the words of this vendor (default: the flavour's own). */
  z.strictObject({ kind: z.literal("overflow"), times, words: z.enum(OVERFLOW_WORDS).optional() }),
  /** TCP reset after the request was read, before any byte of the response. */
  z.strictObject({ kind: z.literal("reset"), times }),
  /**
   * Silence: before the headers, or after this many events. It lasts until the client leaves or `release()`, and then
   * the response continues.
   */
  z.strictObject({
    kind: z.literal("hang"),
    times,
    afterEvents: afterEvents.optional(),
    pingEveryMs: z.int().min(1).optional(),
  }),
  /** The connection breaks in the body: after exactly `afterBytes` of it, or after this many events (default 2). */
  z.strictObject({
    kind: z.literal("disconnect"),
    times,
    afterBytes: z.int().min(0).optional(),
    afterEvents: afterEvents.optional(),
    how: z.enum(["reset", "close"]).default("reset"),
  }),
  /** An event that is not JSON. `end`: the stream ends regularly there; `continue`: the rest follows. */
  z.strictObject({
    kind: z.literal("malformedChunk"),
    times,
    afterEvents: afterEvents.default(2),
    data: z.string().default('{"id":"chatcmpl-1","object":"chat.comp'),
    rest: z.enum(["end", "continue"]).default("end"),
  }),
  /** The body ends regularly, but the finish reason, the usage and the closing event are missing. */
  z.strictObject({ kind: z.literal("unfinished"), times }),
  /** HTTP 200 and then an error object in the stream. */
  z.strictObject({
    kind: z.literal("streamError"),
    times,
    afterEvents: afterEvents.default(2),
    message: z.string().default("Provider disconnected unexpectedly"),
    code: z.union([z.string(), z.number()]).default("server_error"),
  }),
  /** Every call's arguments stop after this many characters, yet the stream ends as if all were well. */
  z.strictObject({
    kind: z.literal("cutArguments"),
    times,
    keepCharacters: z.int().min(0).default(8),
    stop: z.enum(["toolCalls", "length"]).optional(),
  }),
]);

export type Fault = z.infer<typeof faultSchema>;
