import type { WireFormat } from "../flavours/wire-format.ts";
import { anthropicWire } from "./anthropic/anthropic-wire.ts";
import { openAiChatWire } from "./chat/openai-chat-wire.ts";
import { ollamaWire } from "./ollama/ollama-wire.ts";
import { responsesWire } from "./responses/responses-wire.ts";
import type { ServerState, Wire, WireRequest } from "./wire.ts";

/** A wire format is one row: how to parse, refuse and answer its requests. */
export const wireBinders: Record<WireFormat, (state: ServerState, request: WireRequest) => Wire> = {
  "openai-chat": openAiChatWire,
  "openai-responses": responsesWire,
  anthropic: anthropicWire,
  ollama: ollamaWire,
};
