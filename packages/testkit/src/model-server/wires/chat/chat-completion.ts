import type { ChatDialect } from "../../flavours/chat-dialect.ts";
import type { StreamFrame } from "../../story/frame.ts";
import { REPLY_TIME, type ReplyCall, type ScriptedReply, type ScriptedStop, wholeText } from "../../story/reply.ts";
import { sealText } from "../../story/seal.ts";
import { generatedFrames, pieceFrames } from "../../story/text-frames.ts";
import { llamaTimings, promptProgress } from "./chat-progress.ts";
import { closingUsage, usageFields } from "./chat-usage.ts";

/**
 * OpenAI chat completions, as published in the API reference ("The chat completion chunk object"), modified by a
 * vendor's dialect.
 */
export interface ChatOptions {
  dialect: ChatDialect;
  /** The request had `stream_options.include_usage`, or the server always sends a chunk with the counts. */
  usageAsked: boolean;
  /** The request had llama.cpp's `return_progress`. */
  progressAsked: boolean;
}

type Json = Record<string, unknown>;
type ChunkWriter = (delta: Json, finishReason?: string | null, extras?: Json) => string;

const created = Math.floor(REPLY_TIME.getTime() / 1000);

const finishReasons: Record<ScriptedStop, string> = {
  stop: "stop",
  toolCalls: "tool_calls",
  length: "length",
  contentFilter: "content_filter",
  stopSequence: "stop",
  pause: "stop",
  windowFull: "length",
};

export function* chatFrames(reply: ScriptedReply, options: ChatOptions): Generator<StreamFrame> {
  const { oddities } = reply;
  const { dialect } = options;
  const envelope = envelopeOf(reply, "chat.completion.chunk");
  const tail = options.usageAsked && dialect.usageNull ? { usage: null } : {};
  const chunk: ChunkWriter = (delta, finishReason = null, extras = {}) =>
    JSON.stringify({
      ...envelope,
      choices: [{ index: 0, delta, logprobs: null, finish_reason: finishReason }],
      ...tail,
      ...extras,
    });
  const frame = (data: string, part: StreamFrame["part"]): StreamFrame => ({ data, part, delayMs: 0 });

  if (oddities.emptyChoices) yield frame(JSON.stringify({ ...envelope, choices: [], ...tail }), "delta");
  if (oddities.unknownEvents) {
    yield { data: '{"object":"telemetry.tick","tick":1}', part: "delta", delayMs: 0, event: "telemetry" };
  }
  const first = dialect.usage === "x_groq" ? { x_groq: { id: `req_${reply.number}` } } : {};
  const opening = { role: "assistant", content: oddities.nullContent ? null : "" };
  for (const progress of options.progressAsked ? promptProgress(reply) : []) {
    yield frame(chunk({ role: "assistant", content: null }, null, { prompt_progress: progress }), "delta");
  }
  yield frame(chunk(opening, null, first), "delta");
  yield* thinkingFrames(reply, options, chunk);
  if (oddities.nullContent) yield frame(chunk({ content: null }), "delta");
  yield* pieceFrames(reply.text, reply, (piece) => chunk({ content: piece }));
  yield* generatedFrames(reply, (piece) => chunk({ content: piece }));
  yield* pieceFrames(reply.refusal, reply, (piece) => chunk({ refusal: piece }));
  yield* callFrames(reply, dialect, chunk);
  const ownChunk = options.usageAsked && (dialect.usage ?? "own") === "own";
  // llama.cpp's times are in the very last chunk.
  const timings = dialect.llamaTimings ? llamaTimings(reply) : {};
  const closing = { ...closingUsage(reply, dialect), ...(ownChunk && reply.usage ? {} : timings) };
  yield frame(chunk({}, finishReasonOf(reply, dialect), closing), "closing");
  if (ownChunk && reply.usage !== undefined) {
    const usage = usageFields(reply.usage, dialect);
    yield frame(JSON.stringify({ ...envelope, choices: [], usage, ...timings }), "closing");
  }
  if (!oddities.noDone) yield frame("[DONE]", "closing");
}

/** Gemini's thoughts are content in tags; the answer begins after the closing one. */
function* thinkingFrames(reply: ScriptedReply, options: ChatOptions, chunk: ChunkWriter): Generator<StreamFrame> {
  const { thinking } = reply;
  if (thinking === "") return;
  if (options.dialect.thinking !== "thought" || reply.oddities.thinkingField !== undefined) {
    yield* pieceFrames(thinking, reply, (piece) => chunk(thinkingFields(piece, reply, options)));
    if (!signsThinking(reply, options.dialect)) return;
    const detail = { type: "reasoning.text", signature: sealText("openrouter", thinking), format: "unknown", index: 0 };
    yield { data: chunk({ reasoning_details: [detail] }), part: "delta", delayMs: 0 };
    return;
  }
  const marked = { extra_content: { google: { thought: true } } };
  let opened = false;
  yield* pieceFrames(thinking, reply, (piece) => {
    const content = opened ? piece : `<thought>${piece}`;
    opened = true;
    return chunk({ content, ...marked });
  });
  yield { data: chunk({ content: "</thought>" }), part: "delta", delayMs: 0 };
}

/** OpenRouter passes on the signature of models that sign. */
function signsThinking(reply: ScriptedReply, { signedThinking }: ChatDialect): boolean {
  const isUsual = reply.oddities.thinkingField === undefined;
  return signedThinking !== undefined && isUsual && reply.model.startsWith(signedThinking);
}

/** A call begins with its id, name and empty arguments; the arguments follow in pieces under the same index. */
function* callFrames(reply: ScriptedReply, dialect: ChatDialect, chunk: ChunkWriter): Generator<StreamFrame> {
  for (const [place, call] of reply.calls.entries()) {
    const index = indexOf(place, reply, dialect);
    const head = { ...index, ...callFields(call, place, dialect) };
    if (dialect.wholeCalls) {
      yield { data: chunk({ tool_calls: [head] }), part: "delta", delayMs: reply.chunkDelayMs };
      continue;
    }
    const begun = { ...head, function: { name: call.name, arguments: "" } };
    yield { data: chunk({ tool_calls: [begun] }), part: "delta", delayMs: reply.chunkDelayMs };
    yield* pieceFrames(call.argumentsText, reply, (piece) =>
      chunk({ tool_calls: [{ ...index, function: { arguments: piece } }] }),
    );
  }
}

function indexOf(place: number, reply: ScriptedReply, dialect: ChatDialect): { index?: number } {
  const how = reply.oddities.callIndex ?? dialect.callIndex;
  if (how === "none") return {};
  return { index: how === "zero" ? 0 : place };
}

/**
 * The first call of a reply carries the signature of the thoughts that led to it (Gemini docs "Thought signatures").
 */
function callFields(call: ReplyCall, place: number, dialect: ChatDialect): Json {
  const signature = sealText("google", call.name);
  return {
    ...(call.id === undefined ? {} : { id: call.id }),
    type: "function",
    function: { name: call.name, arguments: call.argumentsText },
    ...(dialect.signedCalls && place === 0 && { extra_content: { google: { thought_signature: signature } } }),
  };
}

/** The answer to a request without `stream`. */
export function chatBody(reply: ScriptedReply, options: ChatOptions): string {
  const { dialect } = options;
  const text = wholeText(reply);
  const toolCalls = reply.calls.map((call, place) => callFields(call, place, dialect));
  const thought = reply.thinking !== "" && dialect.thinking === "thought" ? `<thought>${reply.thinking}</thought>` : "";
  const content = thought + text;
  const message = {
    role: "assistant",
    content: content === "" && (toolCalls.length > 0 || reply.refusal !== "") ? null : content,
    refusal: reply.refusal === "" ? null : reply.refusal,
    ...(reply.thinking === "" || thought !== "" ? {} : thinkingFields(reply.thinking, reply, options)),
    ...(toolCalls.length === 0 ? {} : { tool_calls: toolCalls }),
  };
  // Mistral's thinking is a part of the content, before its text.
  if (Array.isArray(message.content)) message.content.push({ type: "text", text });
  const choice = { index: 0, message, logprobs: null, finish_reason: finishReasonOf(reply, dialect) };
  return JSON.stringify({
    ...envelopeOf(reply, "chat.completion"),
    choices: reply.oddities.emptyChoices ? [] : [choice],
    ...(reply.usage === undefined ? {} : { usage: usageFields(reply.usage, dialect) }),
    ...(dialect.llamaTimings ? llamaTimings(reply) : {}),
  });
}

function thinkingFields(piece: string, reply: ScriptedReply, { dialect }: ChatOptions): Json {
  switch (reply.oddities.thinkingField ?? dialect.thinking) {
    case "reasoning":
      return {
        reasoning: piece,
        reasoning_details: [{ type: "reasoning.text", text: piece, format: "unknown", index: 0 }],
      };
    case "parts":
      return { content: [{ type: "thinking", thinking: [{ type: "text", text: piece }] }] };
    default:
      return { reasoning_content: piece };
  }
}

function envelopeOf(reply: ScriptedReply, object: string): Json {
  return { id: `chatcmpl-${reply.number}`, object, created, model: reply.model, system_fingerprint: "fp_scripted" };
}

function finishReasonOf(reply: ScriptedReply, dialect: ChatDialect): string {
  return dialect.finishReasons?.[reply.stop] ?? finishReasons[reply.stop];
}
