import { asArray, asObject, chatConversation, textValue } from "../../story/conversation.ts";
import { ndjsonEncoder, type StreamFrame } from "../../story/frame.ts";
import { REPLY_TIME, type ReplyCall, type ReplyUsage, type ScriptedReply, wholeText } from "../../story/reply.ts";
import { generatedFrames, pieceFrames } from "../../story/text-frames.ts";
import type { ServerState, Wire, WireRequest } from "../wire.ts";
import { checkOllamaRequest } from "./ollama-request-check.ts";

/** Ollama's own format, docs/api.md "Generate a chat completion": NDJSON, calls whole and with object arguments. */
export function ollamaWire(state: ServerState, { body }: WireRequest): Wire {
  const request = asObject(body);
  const optionsFor = (reply: ScriptedReply): OllamaChatOptions => ({
    hideThinking: request.think === false,
    contextTokens: state.served.loadedTokens(reply.model) ?? Number.POSITIVE_INFINITY,
  });
  return {
    format: "ollama",
    // Ollama streams unless the request says not to.
    streams: request.stream !== false,
    streamType: "application/x-ndjson",
    errors: "string",
    conversation: chatConversation(body),
    ping: undefined,
    encoder: ndjsonEncoder,
    callId: (key, index) => `call_${key}_${index}`,
    refuse: () => checkOllamaRequest(body, state.served),
    withoutTurn: () => (asArray(request.messages).length > 0 ? undefined : ollamaLoadBody(textValue(request.model))),
    frames: (reply) => ollamaChatFrames(reply, optionsFor(reply)),
    body: (reply) => ollamaChatBody(reply, optionsFor(reply)),
    errorFrame: (message) => ({ data: JSON.stringify({ error: message }), part: "delta", delayMs: 0 }),
  };
}

interface OllamaChatOptions {
  /** The request said `think: false`. */
  hideThinking: boolean;
  /** The window the model runs with. Tokens beyond it are silently cut from the prompt. */
  contextTokens: number;
}

const NANOSECONDS_PER_TOKEN = 5_000_000;

function* ollamaChatFrames(reply: ScriptedReply, options: OllamaChatOptions): Generator<StreamFrame> {
  const base = { model: reply.model, created_at: REPLY_TIME.toISOString() };
  const { oddities } = reply;
  const line = (message: Record<string, unknown>): string =>
    JSON.stringify({ ...base, message: { role: "assistant", ...message }, done: false });
  const frame = (data: string): StreamFrame => ({ data, part: "delta", delayMs: 0 });

  if (oddities.unknownEvents) yield frame('{"status":"warming up"}');
  if (oddities.nullContent) yield frame(line({ content: null }));
  if (!options.hideThinking) {
    yield* pieceFrames(reply.thinking, reply, (piece) => line({ content: "", thinking: piece }));
  }
  yield* pieceFrames(reply.text + reply.refusal, reply, (piece) => line({ content: piece }));
  yield* generatedFrames(reply, (piece) => line({ content: piece }));
  for (const [index, call] of reply.calls.entries()) {
    if (call.cut) continue;
    const data = line({ content: "", tool_calls: [callFields(call, index)] });
    yield { data, part: "delta", delayMs: reply.chunkDelayMs };
  }
  yield { data: JSON.stringify({ ...closing(reply, options, "") }), part: "closing", delayMs: 0 };
}

/** The answer to a request with `stream: false`. */
function ollamaChatBody(reply: ScriptedReply, options: OllamaChatOptions): string {
  const whole = closing(reply, options, wholeText(reply) + reply.refusal);
  const calls = reply.calls.filter((call) => !call.cut).map(callFields);
  return JSON.stringify({
    ...whole,
    message: {
      ...asObject(whole.message),
      ...(reply.thinking === "" || options.hideThinking ? {} : { thinking: reply.thinking }),
      ...(calls.length === 0 ? {} : { tool_calls: calls }),
    },
  });
}

/** The response to a chat without messages, which only loads the model. */
function ollamaLoadBody(model: string): string {
  const message = { role: "assistant", content: "" };
  return JSON.stringify({ model, created_at: REPLY_TIME.toISOString(), message, done_reason: "load", done: true });
}

function closing(reply: ScriptedReply, options: OllamaChatOptions, content: string): Record<string, unknown> {
  const cut = reply.stop === "length" || reply.stop === "windowFull" || reply.calls.some((call) => call.cut);
  return {
    model: reply.model,
    created_at: REPLY_TIME.toISOString(),
    message: { role: "assistant", content },
    done: true,
    // A server that stops inside a call has nothing complete to show for it: the call is missing, the reason is length.
    done_reason: cut ? "length" : "stop",
    ...(reply.usage === undefined ? {} : counts(reply.usage, options)),
  };
}

function counts(usage: ReplyUsage, options: OllamaChatOptions): Record<string, unknown> {
  const seen = usage.inputTokens === null ? null : Math.min(usage.inputTokens, options.contextTokens);
  const promptNanoseconds = (seen ?? 0) * (NANOSECONDS_PER_TOKEN / 100);
  const outputNanoseconds = (usage.outputTokens ?? 0) * NANOSECONDS_PER_TOKEN;
  return {
    total_duration: promptNanoseconds + outputNanoseconds,
    load_duration: 0,
    prompt_eval_count: seen,
    prompt_eval_duration: promptNanoseconds,
    eval_count: usage.outputTokens,
    eval_duration: outputNanoseconds,
  };
}

/** Arguments that are not a JSON object are sent as they are, as careless imitations of Ollama do. */
function callFields(call: ReplyCall, index: number): Record<string, unknown> {
  const id = call.id === undefined ? {} : { id: call.id };
  return { ...id, function: { index, name: call.name, arguments: argumentsValue(call.argumentsText) } };
}

function argumentsValue(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
