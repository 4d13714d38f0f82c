import { flavourRows } from "../../flavours/flavour.ts";
import { asArray, asObject } from "../../story/conversation.ts";
import { sseEncoder } from "../../story/frame.ts";
import type { ServerState, Wire, WireRequest } from "../wire.ts";
import { ResponseStory } from "./response-story.ts";
import { responsesConversation } from "./responses-conversation.ts";
import { checkResponsesRequest } from "./responses-request-check.ts";

/** OpenAI's POST /v1/responses, according to its API reference ("Create a model response", "Streaming events"). */
export function responsesWire(state: ServerState, request: WireRequest): Wire {
  const { stream, include } = asObject(request.body);
  const story = new ResponseStory({
    request: asObject(request.body),
    encrypted: asArray(include).includes("reasoning.encrypted_content"),
  });
  return {
    format: "openai-responses",
    streams: stream === true,
    streamType: "text/event-stream; charset=utf-8",
    errors: flavourRows[state.flavour].errors === "detail" ? "detail" : "openai",
    conversation: responsesConversation(request.body),
    ping: ": ping\n\n",
    encoder: (oddities) => sseEncoder(oddities),
    callId: (key, index) => `call_${key}_${index}`,
    refuse: () => checkResponsesRequest(request.body, state),
    withoutTurn: () => undefined,
    frames: (reply) => story.frames(reply),
    body: (reply) => story.body(reply),
    errorFrame: (message, code, oddities) => story.errorFrame(message, code, oddities.failedEvent === true),
  };
}
