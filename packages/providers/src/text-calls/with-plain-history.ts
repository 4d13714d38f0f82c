import type { ModelRequest, Provider } from "@harness/core";
import type { Failure } from "@harness/protocol";
import { plainConversation } from "./prompt/plain-conversation.ts";

/** How servers complain that calls and results do not belong together. */
const SAID: readonly RegExp[] = [
  /tool_use.{0,80}without.{0,20}tool_result|unexpected.{0,20}tool_use_id|tool_result.{0,80}tool_use/is, // Anthropic
  /no tool (output|call) found for function call/i, // OpenAI responses
  /tool_calls.{0,40}must be followed by tool messages|role .?tool.? must be a response/is, // OpenAI chat
  /not the same number of function calls and responses/i, // Mistral
  /function response parts.{0,40}function call parts/is, // Gemini
];

function isTorn(failure: Failure): boolean {
  return failure.kind === "badRequest" && SAID.some((words) => words.test(failure.message));
}

/**
 * Our conversations keep calls and results together; a server that finds otherwise is asked once more, with them as plain
 * words, which no rule about pairs can refuse. So is every later request of the same lane. When that fails, too, its
 * words are shown.
 */
export function withPlainHistory(provider: Provider): Provider {
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
          refused = event.type === "failed" && isTorn(event.failure);
          if (!refused) yield event;
        }
        if (!refused) return;
        torn.add(lane);
        const detail = "The server would not take earlier calls with their results: they are sent as plain words.";
        yield { type: "repair", what: "history", detail };
      }
      yield* provider.stream(inWords(request), signal);
    },
  };
}

function inWords(request: ModelRequest): ModelRequest {
  const messages = plainConversation(request.messages, (text, calls) =>
    [text, ...calls.map(({ name, input }) => `(Called ${name} with ${JSON.stringify(input ?? {})}.)`)]
      .filter((each) => each.trim() !== "")
      .join("\n"),
  );
  return { ...request, messages };
}
