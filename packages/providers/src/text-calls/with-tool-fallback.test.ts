import type { ModelEvent, ModelRequest, Provider } from "@harness/core";
import { endEvent, failedEvent, talk } from "@harness/testkit";
import { describe, expect, it } from "vitest";
import { explained } from "../../test/explained.ts";
import { withToolFallback } from "./with-tool-fallback.ts";

const tool = { name: "ls", description: "Lists.", inputSchema: { type: "object" } };

function playing(last: ModelEvent): Provider & { asked: ModelRequest[] } {
  const asked: ModelRequest[] = [];
  return {
    id: "fake",
    asked,
    async *stream(request) {
      asked.push(request);
      yield last;
    },
  };
}

const end: ModelEvent = { type: "end", parts: [], stop: "end" };

describe("a model without tool support", () => {
  it.each([
    ["ollama", 400, "registry.ollama.ai/library/m:latest does not support tools"],
    ["llamacpp", 500, "Unsupported param: tools"],
    ["llamacpp", 500, "tools param requires --jinja flag"],
    ["vllm", 400, '"auto" tool choice requires --enable-auto-tool-choice and --tool-call-parser to be set'],
    ["openrouter", 404, "No endpoints found that support tool use."],
    ["groq", 400, "`tool calling` is not supported with this model"],
    ["gemini", 400, "Function calling is not enabled for models/gemma-3-27b-it"],
    ["mistral", 400, "Function calling is not enabled for this model"],
    ["deepseek", 400, "deepseek-reasoner does not support Function Calling"],
    ["fireworks", 400, "This model does not support tool calling"],
    ["vllm", 400, "This model does not support function calling"],
    ["openai", 400, "tools is not supported in this model. For a list of supported models, refer to the docs."],
  ])("is recognised by the message of %s (%d): %s", (id, status, message) => {
    const { refusal, retryable } = explained(id, status, message);
    expect(refusal).toBe("no_tools");
    expect(retryable).toBe(false);
  });

  it("is not assumed for a model that failed or got an invalid request", () => {
    expect(explained("llamacpp", 500, "Failed to parse tool call").refusal).toBeUndefined();
    expect(explained("openai", 400, "tools.0.name is too long").refusal).toBe("tool_schema");
    const parallel = "This model does not support parallel tool calls";
    expect(explained("openai", 400, parallel).refusal).toBeUndefined();
  });

  it("is prompted for calls from then on, with one notice to people", async () => {
    const native = playing({ type: "failed", ...explained("ollama", 400, "m does not support tools") });
    const prompted = playing(end);
    const provider = withToolFallback(native, prompted);
    const first = await talk(provider, { model: "m", tools: [tool] });
    expect(first.map((event) => event.type)).toEqual(["repair", "end"]);
    expect(first[0]).toMatchObject({
      what: "no_native_tools",
      detail: expect.stringContaining("m does not support tools: they"),
    });
    expect(await talk(provider, { model: "m", tools: [tool] })).toEqual([end]);
    expect(native.asked).toHaveLength(1);
    expect(prompted.asked).toHaveLength(2);
  });

  it("changes nothing for other models, other failures and requests without tools", async () => {
    const failed = explained("ollama", 400, "something else");
    const native = playing({ type: "failed", ...failed });
    const prompted = playing(end);
    expect(failedEvent(await talk(withToolFallback(native, prompted), { tools: [tool] })).failure).toBe(failed.failure);
    endEvent(await talk(withToolFallback(playing(end), prompted), { tools: [tool] }));
    expect(prompted.asked).toHaveLength(0);
  });
});
