import { asRecord, asText } from "../json/lenient-json.ts";
import type { WireName } from "../wires/endpoint/vendor.ts";

/** The format of an event, or of a whole reply; undefined: unclear. */
export function formatOf(value: unknown): WireName | undefined {
  const event = asRecord(value);
  const type = asText(event.type);
  if (type.startsWith("response.") || event.object === "response" || Array.isArray(event.output))
    return "openai-responses";
  if (/^(message|content_block)(_|$)/.test(type) || type === "ping") return "anthropic";
  // Programs reassemble a streamed reply without its type.
  if (type === "" && Array.isArray(event.content)) return "anthropic";
  if (Array.isArray(event.choices)) return "openai-chat";
  if (typeof event.done === "boolean") return "ollama";
  return undefined;
}
