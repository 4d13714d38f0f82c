import { anthropicTypes } from "../../flavours/error-dialect.ts";
import { asObject } from "../../story/conversation.ts";
import { sseEncoder } from "../../story/frame.ts";
import type { ScriptedReply } from "../../story/reply.ts";
import type { ServerState, Wire, WireRequest } from "../wire.ts";
import { anthropicConversation } from "./anthropic-conversation.ts";
import { anthropicBody, anthropicFrames } from "./anthropic-message.ts";
import { checkAnthropicRequest } from "./anthropic-request-check.ts";

const ping = 'event: ping\ndata: {"type": "ping"}\n\n';

/** Anthropic's POST /v1/messages, according to its pages "Messages", "Streaming messages" and "Errors". */
export function anthropicWire(state: ServerState, request: WireRequest): Wire {
  const { stream, thinking } = asObject(request.body);
  const shown = (reply: ScriptedReply): ScriptedReply =>
    asObject(thinking).type === "disabled" ? { ...reply, thinking: "", redactedThinking: undefined } : reply;
  return {
    format: "anthropic",
    streams: stream === true,
    streamType: "text/event-stream; charset=utf-8",
    errors: "anthropic",
    conversation: anthropicConversation(request.body),
    ping,
    encoder: (oddities) => sseEncoder(oddities, ping),
    callId: (key, index) => `toolu_${key}_${index}`,
    refuse: () => checkAnthropicRequest(request, state.served),
    withoutTurn: () => undefined,
    frames: (reply) => anthropicFrames(shown(reply)),
    body: (reply) => anthropicBody(shown(reply)),
    errorFrame(message, code) {
      const named = typeof code === "number" ? anthropicTypes[code] : code;
      const type = named === "server_error" ? "api_error" : (named ?? "api_error");
      const data = JSON.stringify({
        type: "error",
        error: { type, message },
        request_id: "req_011ScriptedModelServer",
      });
      return { data, part: "delta", delayMs: 0, event: "error" };
    },
  };
}
