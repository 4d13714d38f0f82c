import { anthropicWire } from "./anthropic-wire.ts";
import { ollamaWire } from "./ollama-wire.ts";
import { openAiChatWire } from "./openai-chat-wire.ts";
import { responsesWire } from "./responses-wire.ts";
import type { Stage, Wire, WireRequest } from "./wire.ts";
import type { WireFormat } from "./wire-format.ts";

/** A wire format is one row: how a request of it is read, refused and answered. */
export const wireBinders: Record<WireFormat, (stage: Stage, request: WireRequest) => Wire> = {
  "openai-chat": openAiChatWire,
  "openai-responses": responsesWire,
  anthropic: anthropicWire,
  ollama: ollamaWire,
};
