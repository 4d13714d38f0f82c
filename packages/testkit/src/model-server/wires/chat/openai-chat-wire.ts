import { createHash } from "node:crypto";
import type { ChatDialect } from "../../flavours/chat-dialect.ts";
import { errorJson } from "../../flavours/error-dialect.ts";
import { type Flavour, flavourRows } from "../../flavours/flavour.ts";
import { asObject, chatConversation } from "../../story/conversation.ts";
import { type StreamFrame, sseEncoder } from "../../story/frame.ts";
import type { ServerState, Wire, WireRequest } from "../wire.ts";
import { chatBody, chatFrames } from "./chat-completion.ts";
import { checkChatRequest } from "./chat-request-check.ts";

/** OpenAI's POST /v1/chat/completions, including the dialects of vendors that follow it. */
export function openAiChatWire(state: ServerState, { body }: WireRequest): Wire {
  const request = asObject(body);
  const { chat: dialect, errors } = flavourRows[state.flavour];
  const streams = request.stream === true;
  const options = {
    dialect,
    usageAsked: dialect.usageUnasked === true || asObject(request.stream_options).include_usage === true,
    progressAsked: dialect.llamaTimings === true && request.return_progress === true,
  };
  return {
    format: "openai-chat",
    streams,
    streamType: "text/event-stream; charset=utf-8",
    errors,
    conversation: chatConversation(body),
    ping: ": ping\n\n",
    encoder: (oddities) => sseEncoder(oddities),
    callId: (key, index) => callId(dialect, key, index),
    refuse: () => checkChatRequest(body, state.flavour, state.served),
    withoutTurn: () => undefined,
    frames: (reply) => chatFrames(reply, options),
    body: (reply) => chatBody(reply, options),
    errorFrame: (message, code) => errorFrame(state.flavour, message, code),
  };
}

function callId(dialect: ChatDialect, key: string, index: number): string {
  const id = `call_${key}_${index}`;
  return dialect.nineCharacterIds ? createHash("sha256").update(id).digest("hex").slice(0, 9) : id;
}

function errorFrame(flavour: Flavour, message: string, code: string | number): StreamFrame {
  const frame = (data: string): StreamFrame => ({ data, part: "delta", delayMs: 0 });
  const { errors } = flavourRows[flavour];
  if (flavour === "openrouter") {
    const chunk = {
      id: "gen-scripted",
      object: "chat.completion.chunk",
      provider: "Scripted",
      error: { code, message },
      choices: [{ index: 0, delta: { role: "assistant", content: "" }, finish_reason: "error" }],
    };
    return frame(JSON.stringify(chunk));
  }
  if (errors === "google" || errors === "mistral") {
    return frame(errorJson(errors, typeof code === "number" ? code : 500, { message, type: "server_error", code }));
  }
  return frame(JSON.stringify({ error: { message, type: "server_error", param: null, code } }));
}
