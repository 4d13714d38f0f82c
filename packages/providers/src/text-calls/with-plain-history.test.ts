import type { ModelEvent, ModelMessage, ModelRequest, Provider } from "@harness/core";
import { endEvent, failedEvent, talk } from "@harness/testkit";
import { describe, expect, it } from "vitest";
import { explained } from "../../test/explained.ts";
import { withPlainHistory } from "./with-plain-history.ts";

const call = { type: "tool_call" as const, toolCallId: "c1", name: "ls", input: { path: "." } };
const messages: ModelMessage[] = [
  { role: "user", content: [{ type: "text", text: "look" }] },
  { role: "assistant", parts: [{ type: "text", text: "I look." }, call] },
  { role: "tool", toolCallId: "c1", name: "ls", text: "a.txt", isError: false },
];
const said: ModelEvent = { type: "end", parts: [{ type: "text", text: "Seen." }], stop: "end" };
function refusal(message: string): ModelEvent {
  return { type: "failed", ...explained("openai", 400, message) };
}

const TORN = "messages.2: `tool_use` ids were found without `tool_result` blocks immediately after: toolu_1.";

function playing(...answers: ModelEvent[]): Provider & { requests: ModelRequest[] } {
  const requests: ModelRequest[] = [];
  return {
    id: "played",
    requests,
    async *stream(request) {
      requests.push(request);
      yield answers[Math.min(requests.length, answers.length) - 1] ?? said;
    },
  };
}

describe("withPlainHistory", () => {
  it.each([
    TORN,
    "messages.0.content.1: unexpected `tool_use_id` found in `tool_result` blocks: toolu_9.",
    "No tool output found for function call call_1.",
    "An assistant message with 'tool_calls' must be followed by tool messages responding to each 'tool_call_id'.",
    "Not the same number of function calls and responses",
  ])("retries once with a plain history: %s", async (message) => {
    const inner = playing(refusal(message), said);
    const provider = withPlainHistory(inner);
    const events = await talk(provider, { messages, lane: "s/main" });
    expect(events.map(({ type }) => type)).toEqual(["repair", "end"]);
    expect(inner.requests[1]?.messages).toEqual([
      messages[0],
      { role: "assistant", parts: [{ type: "text", text: 'I look.\n(Called ls with {"path":"."}.)' }] },
      { role: "user", content: [{ type: "text", text: "Tool result (ls):\na.txt" }] },
    ]);
    // The rest of the conversation is sent in the same form at once.
    expect(endEvent(await talk(provider, { messages, lane: "s/main" }))).toEqual(said);
    expect(inner.requests).toHaveLength(3);
  });

  it("shows the server's message when the retry fails too", async () => {
    const inner = playing(refusal(TORN));
    expect(failedEvent(await talk(withPlainHistory(inner), { messages })).failure.message).toContain(TORN);
    expect(inner.requests).toHaveLength(2);
  });

  it.each(["The model does not exist.", "max_tokens is too large"])(
    "does not retry other refusals: %s",
    async (message) => {
      const inner = playing(refusal(message));
      failedEvent(await talk(withPlainHistory(inner), { messages }));
      expect(inner.requests).toHaveLength(1);
    },
  );
});
