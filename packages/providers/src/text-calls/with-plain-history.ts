import type { ModelRequest } from "@harness/core";
import type { WireProvider } from "../wires/wire-api.ts";
import { plainConversation } from "./prompt/plain-conversation.ts";
import { withSecondTry } from "./with-second-try.ts";

/**
 * Conversations keep calls and results together. A server that still refuses them gets both as plain text, which no
 * rule about pairs can refuse, also in later requests of the same lane.
 */
export function withPlainHistory(provider: WireProvider): WireProvider {
  const plain: WireProvider = {
    id: provider.id,
    stream: (request, signal) => provider.stream(asPlainText(request), signal),
  };
  return withSecondTry(provider, plain, {
    refusal: "call_pairs",
    what: "history",
    key: ({ messages, lane = "" }) => (messages.some(({ role }) => role === "tool") ? lane : undefined),
    detail: () => "The server rejected earlier calls with their results: they are sent as plain text.",
  });
}

function asPlainText(request: ModelRequest): ModelRequest {
  const messages = plainConversation(request.messages, (text, calls) =>
    [text, ...calls.map(({ name, input }) => `(Called ${name} with ${JSON.stringify(input ?? {})}.)`)]
      .filter((each) => each.trim() !== "")
      .join("\n"),
  );
  return { ...request, messages };
}
