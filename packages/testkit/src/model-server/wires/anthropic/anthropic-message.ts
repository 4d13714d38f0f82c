import { asObject } from "../../story/conversation.ts";
import type { StreamFrame } from "../../story/frame.ts";
import type { ReplyCall, ReplyUsage, ScriptedReply, ScriptedStop } from "../../story/reply.ts";
import { wholeText } from "../../story/reply.ts";
import { sealed, sealText } from "../../story/seal.ts";
import { generatedFrames, pieceFrames } from "../../story/text-frames.ts";

/**
 * Anthropic's message, as events (docs "Streaming messages", "Extended thinking") and whole: `message_start`, then for
 * each block `content_block_start`, deltas, `content_block_stop`; then `message_delta` with the stop and the counts, and
 * `message_stop`.
 */
type Json = Record<string, unknown>;

const stopReasons: Record<ScriptedStop, string> = {
  stop: "end_turn",
  toolCalls: "tool_use",
  length: "max_tokens",
  contentFilter: "refusal",
  stopSequence: "stop_sequence",
  pause: "pause_turn",
  windowFull: "model_context_window_exceeded",
};

export function* anthropicFrames(reply: ScriptedReply): Generator<StreamFrame> {
  const { oddities, usage } = reply;
  // The real API counts a token or so at the start; the last count replaces it.
  const early = usage && { ...usage, outputTokens: Math.min(usage.outputTokens ?? Number.NaN, 1) };
  const startUsage =
    early && usageFields({ ...early, outputTokens: Number.isNaN(early.outputTokens) ? null : early.outputTokens });
  const message = { ...envelope(reply), content: [], stop_reason: null, stop_sequence: null };
  yield event({ type: "message_start", message: { ...message, ...(startUsage && { usage: startUsage }) } });
  if (oddities.unknownEvents) yield event({ type: "telemetry_tick", tick: 1 });
  yield event({ type: "ping" });
  let index = 0;
  for (const block of blocksOf(reply)) {
    yield event({ type: "content_block_start", index, content_block: block.start });
    if (oddities.unknownEvents) {
      yield event({ type: "content_block_delta", index, delta: { type: "telemetry_delta", tick: 2 } });
    }
    yield* block.deltas((delta) => JSON.stringify({ type: "content_block_delta", index, delta }));
    yield event({ type: "content_block_stop", index });
    index += 1;
  }
  const delta = { stop_reason: stopReasonOf(reply), stop_sequence: stopSequenceOf(reply) };
  const endUsage = usage && { usage: { output_tokens: usage.outputTokens } };
  yield event({ type: "message_delta", delta, ...endUsage }, "closing");
  yield event({ type: "message_stop" }, "closing");
}

/** The answer to a request without `stream`. */
export function anthropicBody(reply: ScriptedReply): string {
  const content: Json[] = [];
  if (reply.redactedThinking !== undefined) content.push(redacted(reply.redactedThinking));
  if (reply.thinking !== "") {
    content.push({ type: "thinking", thinking: reply.thinking, signature: sealText("anthropic", reply.thinking) });
  }
  const text = wholeText(reply) + reply.refusal;
  if (text !== "") content.push({ type: "text", text });
  // The input of a cut call is not an object, and is never shown completely.
  for (const call of reply.calls) if (!call.cut) content.push({ ...toolUse(call), input: inputOf(call) });
  return JSON.stringify({
    ...envelope(reply),
    content,
    stop_reason: stopReasonOf(reply),
    stop_sequence: stopSequenceOf(reply),
    ...(reply.usage && { usage: usageFields(reply.usage) }),
  });
}

interface Block {
  start: Json;
  deltas(write: (delta: Json) => string): Iterable<StreamFrame>;
}

function* blocksOf(reply: ScriptedReply): Generator<Block> {
  const { thinking, text, refusal, redactedThinking } = reply;
  if (redactedThinking !== undefined) yield { start: redacted(redactedThinking), deltas: () => [] };
  if (thinking !== "") {
    yield { start: { type: "thinking", thinking: "", signature: "" }, deltas: (write) => thinkingDeltas(reply, write) };
  }
  if (text !== "" || refusal !== "" || reply.generate !== undefined) {
    yield { start: { type: "text", text: "" }, deltas: (write) => textDeltas(reply, write) };
  }
  for (const call of reply.calls) {
    yield { start: { ...toolUse(call), input: {} }, deltas: (write) => inputDeltas(call, reply, write) };
  }
}

function* thinkingDeltas(reply: ScriptedReply, write: (delta: Json) => string): Generator<StreamFrame> {
  yield* deltaFrames(pieceFrames(reply.thinking, reply, (thinking) => write({ type: "thinking_delta", thinking })));
  const signature = sealText("anthropic", reply.thinking);
  yield* deltaFrames([{ data: write({ type: "signature_delta", signature }), part: "delta", delayMs: 0 }]);
}

function* textDeltas(reply: ScriptedReply, write: (delta: Json) => string): Generator<StreamFrame> {
  const writeText = (text: string) => write({ type: "text_delta", text });
  yield* deltaFrames(pieceFrames(reply.text, reply, writeText));
  yield* generatedFrames(reply, writeText, "content_block_delta");
  yield* deltaFrames(pieceFrames(reply.refusal, reply, writeText));
}

/** The first delta of an input is empty, and without arguments it may be the only one. */
function* inputDeltas(call: ReplyCall, reply: ScriptedReply, write: (delta: Json) => string): Generator<StreamFrame> {
  const writeInput = (json: string) => write({ type: "input_json_delta", partial_json: json });
  const empty = reply.oddities.emptyInput === true && call.argumentsText === "{}";
  yield* deltaFrames([{ data: writeInput(""), part: "delta", delayMs: reply.chunkDelayMs }]);
  if (!empty) yield* deltaFrames(pieceFrames(call.argumentsText, reply, writeInput));
}

function* deltaFrames(frames: Iterable<StreamFrame>): Generator<StreamFrame> {
  for (const frame of frames) yield { ...frame, event: "content_block_delta" };
}

function event(value: Json & { type: string }, part: StreamFrame["part"] = "delta"): StreamFrame {
  return { data: JSON.stringify(value), part, delayMs: 0, event: value.type };
}

function envelope(reply: ScriptedReply): Json {
  return { id: `msg_${reply.number}`, type: "message", role: "assistant", model: reply.model };
}

function redacted(text: string): Json {
  return { type: "redacted_thinking", data: sealed("anthropic", text) };
}

function toolUse(call: ReplyCall): Json {
  return { type: "tool_use", ...(call.id !== undefined && { id: call.id }), name: call.name };
}

function inputOf(call: ReplyCall): Json {
  try {
    return asObject(JSON.parse(call.argumentsText));
  } catch {
    return {};
  }
}

function stopReasonOf(reply: ScriptedReply): string {
  return reply.refusal === "" ? stopReasons[reply.stop] : "refusal";
}

function stopSequenceOf(reply: ScriptedReply): string | null {
  return reply.stop === "stopSequence" ? "END" : null;
}

/** Here the three input counts are separate: read from the cache, written to it, and neither. */
function usageFields(usage: ReplyUsage): Json {
  const { inputTokens, cachedTokens, cacheWriteTokens } = usage;
  const fresh = inputTokens === null ? null : inputTokens - (cachedTokens ?? 0) - (cacheWriteTokens ?? 0);
  return {
    input_tokens: fresh,
    cache_creation_input_tokens: cacheWriteTokens,
    cache_read_input_tokens: cachedTokens,
    cache_creation: { ephemeral_5m_input_tokens: cacheWriteTokens, ephemeral_1h_input_tokens: 0 },
    output_tokens: usage.outputTokens,
    service_tier: "standard",
  };
}
