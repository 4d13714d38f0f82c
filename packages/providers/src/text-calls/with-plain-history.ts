import type { ModelRequest } from "@harness/core";
import type { WireProvider } from "../wires/wire-api.ts";
import { plainConversation } from "./prompt/plain-conversation.ts";

/**
 * Conversations keep calls and results together. When a server still refuses them, the request is sent once more with
 * both as plain text, which no rule about pairs can refuse; so is every later request of the same lane. When that fails
 * too, its failure is shown.
 */
export function withPlainHistory(provider: WireProvider): WireProvider {
  const torn = new Set<string>();
  return {
    id: provider.id,
    async *stream(request, signal) {
      const lane = request.lane ?? "";
      if (!request.messages.some(({ role }) => role === "tool")) {
        yield* provider.stream(request, signal);
        return;
      }
      if (!torn.has(lane)) {
        let refused = false;
        for await (const event of provider.stream(request, signal)) {
          refused = event.type === "failed" && event.refusal === "call_pairs";
          if (!refused) yield event;
        }
        if (!refused) return;
        torn.add(lane);
        const detail = "The server would not take earlier calls with their results: they are sent as plain words.";
        yield { type: "repair", what: "history", detail };
      }
      yield* provider.stream(asPlainText(request), signal);
    },
  };
}

function asPlainText(request: ModelRequest): ModelRequest {
  const messages = plainConversation(request.messages, (text, calls) =>
    [text, ...calls.map(({ name, input }) => `(Called ${name} with ${JSON.stringify(input ?? {})}.)`)]
      .filter((each) => each.trim() !== "")
      .join("\n"),
  );
  return { ...request, messages };
}
