import type { ModelMessage, ModelRequest } from "@harness/core";
import { describe, expect, it } from "vitest";
import { vendorOf } from "../../../test/vendor-of.ts";
import type { Vendor } from "../endpoint/vendor.ts";
import { chatMessages } from "./chat-messages.ts";

function vendorNamed(id: string): Vendor {
  const vendor = vendorOf(id);
  if (!vendor) throw new Error(id);
  return vendor;
}

const call = (name: string) => ({ type: "tool_call" as const, toolCallId: "call_1", name, input: { path: "a" } });
const conversation = () => {
  const reply = { role: "assistant" as const, parts: [call("read_file")], provider: "openai", model: "m" };
  const result = { role: "tool" as const, toolCallId: "call_1", name: "read", text: "1", isError: false };
  const asked: ModelMessage = { role: "user", content: [{ type: "text", text: "look" }] };
  return { reply, messages: [asked, reply, result] satisfies ModelMessage[] };
};
const requestOf = (messages: ModelMessage[], model = "m"): ModelRequest => ({
  model,
  system: "",
  messages,
  tools: [],
  priority: "turn",
});

describe("a reply in the requests after it", () => {
  const openai = vendorNamed("openai");

  it("is the same value each time: a long session sends a thousand of them again and again", () => {
    const { messages } = conversation();
    const [first, second] = [requestOf(messages), requestOf([...messages])].map((each) => chatMessages(each, openai));
    expect(second).toEqual(first);
    expect(second?.[1]).toBe(first?.[1]);
  });

  it("differs where a call got its tool's own name, or where another model or vendor is asked", () => {
    const { messages, reply } = conversation();
    const before = chatMessages(requestOf(messages), openai);
    reply.parts[0] = call("read");
    expect(JSON.stringify(chatMessages(requestOf(messages), openai))).toBe(
      JSON.stringify(before).replace("read_file", "read"),
    );
    for (const [vendor, model] of [
      ["openai", "n"],
      ["mistral", "m"],
      ["gemini", "gemini-3.5-flash"],
    ] as const) {
      const withFresh = messages.map((each) => (each === reply ? { ...reply } : each));
      const again = chatMessages(requestOf(messages, model), vendorNamed(vendor));
      expect(again).toEqual(chatMessages(requestOf(withFresh, model), vendorNamed(vendor)));
    }
  });
});
