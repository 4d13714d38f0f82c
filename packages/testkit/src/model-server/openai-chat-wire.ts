import type { Frame } from "./frame.ts";
import { REPLY_TIME, type Reply, type ReplyUsage, type Stop, wholeText } from "./reply.ts";
import { generatedFrames, pieceFrames } from "./text-frames.ts";

/**
 * OpenAI chat completions, as published in the API reference ("The chat completion chunk object"), with the extra
 * fields of OpenRouter (`reasoning`, `reasoning_details`) and of llama.cpp and DeepSeek (`reasoning_content`).
 */
export interface OpenAiChatOptions {
  thinkingField: "reasoning_content" | "reasoning";
  /** The request had `stream_options.include_usage`, or the server always sends it. */
  includeUsage: boolean;
  /** OpenAI itself: every other chunk then says `usage: null`. */
  usageNull: boolean;
}

const created = Math.floor(REPLY_TIME.getTime() / 1000);

const finishReasons: Record<Stop, string> = {
  stop: "stop",
  toolCalls: "tool_calls",
  length: "length",
  contentFilter: "content_filter",
};

type Delta = Record<string, unknown>;

export function* openAiChatFrames(reply: Reply, options: OpenAiChatOptions): Generator<Frame> {
  const { oddities } = reply;
  const envelope = {
    id: `chatcmpl-${reply.number}`,
    object: "chat.completion.chunk",
    created,
    model: reply.model,
    system_fingerprint: "fp_scripted",
  };
  const tail = options.includeUsage && options.usageNull ? { usage: null } : {};
  const chunk = (delta: Delta, finishReason: string | null = null): string =>
    JSON.stringify({
      ...envelope,
      choices: [{ index: 0, delta, logprobs: null, finish_reason: finishReason }],
      ...tail,
    });
  const frame = (data: string, part: Frame["part"]): Frame => ({ data, part, delayMs: 0 });

  if (oddities.emptyChoices) yield frame(JSON.stringify({ ...envelope, choices: [], ...tail }), "delta");
  if (oddities.unknownEvents) {
    yield { data: '{"object":"telemetry.tick","tick":1}', part: "delta", delayMs: 0, event: "telemetry" };
  }
  yield frame(chunk({ role: "assistant", content: oddities.nullContent ? null : "" }), "delta");
  yield* pieceFrames(reply.thinking, reply, (piece) => chunk(thinkingFields(piece, options)));
  if (oddities.nullContent) yield frame(chunk({ content: null }), "delta");
  yield* pieceFrames(reply.text, reply, (piece) => chunk({ content: piece }));
  yield* generatedFrames(reply, (piece) => chunk({ content: piece }));
  yield* callFrames(reply, chunk);
  yield frame(chunk({}, finishReasons[reply.stop]), "closing");
  if (options.includeUsage && reply.usage !== undefined) {
    yield frame(JSON.stringify({ ...envelope, choices: [], usage: usageFields(reply.usage) }), "closing");
  }
  if (!oddities.noDone) yield frame("[DONE]", "closing");
}

/** A call begins with its id, name and empty arguments; the arguments follow in pieces under the same index. */
function* callFrames(reply: Reply, chunk: (delta: Delta) => string): Generator<Frame> {
  for (const [index, call] of reply.calls.entries()) {
    const id = call.id === undefined ? {} : { id: call.id };
    const head = { index, ...id, type: "function", function: { name: call.name, arguments: "" } };
    yield { data: chunk({ tool_calls: [head] }), part: "delta", delayMs: reply.chunkDelayMs };
    yield* pieceFrames(call.argumentsText, reply, (piece) =>
      chunk({ tool_calls: [{ index, function: { arguments: piece } }] }),
    );
  }
}

/** The answer to a request without `stream`. */
export function openAiChatBody(reply: Reply, options: OpenAiChatOptions): string {
  const text = wholeText(reply);
  const toolCalls = reply.calls.map((call) => ({
    ...(call.id === undefined ? {} : { id: call.id }),
    type: "function",
    function: { name: call.name, arguments: call.argumentsText },
  }));
  const message = {
    role: "assistant",
    content: text === "" && toolCalls.length > 0 ? null : text,
    refusal: null,
    ...(reply.thinking === "" ? {} : thinkingFields(reply.thinking, options)),
    ...(toolCalls.length === 0 ? {} : { tool_calls: toolCalls }),
  };
  const choice = { index: 0, message, logprobs: null, finish_reason: finishReasons[reply.stop] };
  return JSON.stringify({
    id: `chatcmpl-${reply.number}`,
    object: "chat.completion",
    created,
    model: reply.model,
    choices: reply.oddities.emptyChoices ? [] : [choice],
    ...(reply.usage === undefined ? {} : { usage: usageFields(reply.usage) }),
    system_fingerprint: "fp_scripted",
  });
}

function thinkingFields(piece: string, options: OpenAiChatOptions): Delta {
  if (options.thinkingField === "reasoning_content") return { reasoning_content: piece };
  return {
    reasoning: piece,
    reasoning_details: [{ type: "reasoning.text", text: piece, format: "unknown", index: 0 }],
  };
}

function usageFields(usage: ReplyUsage): Record<string, unknown> {
  const total =
    usage.inputTokens === null || usage.outputTokens === null ? null : usage.inputTokens + usage.outputTokens;
  return {
    prompt_tokens: usage.inputTokens,
    completion_tokens: usage.outputTokens,
    total_tokens: total,
    prompt_tokens_details: { cached_tokens: usage.cachedTokens },
    completion_tokens_details: { reasoning_tokens: usage.reasoningTokens },
  };
}
