import { describe, expect, it } from "vitest";
import { chatHistory } from "../worker/chat-history.ts";
import type { GenerateRequest, Message } from "./generate.ts";
import { bringsImage, jobOf } from "./job-of.ts";

const text = (value: string) => ({ type: "text" as const, text: value });
const image = { type: "image" as const, mimeType: "image/png", data: "" };
const user = (...content: (ReturnType<typeof text> | typeof image)[]): Message => ({ role: "user", content });
const request = (messages: Message[], more: Partial<GenerateRequest> = {}): GenerateRequest => ({
  model: "tiny",
  system: "Be brief.",
  messages,
  tools: [],
  ...more,
});
const own = { provider: "gguf", model: "tiny" };
const call = (toolCallId: string, vendorData?: unknown) => ({
  type: "tool_call" as const,
  toolCallId,
  name: "read",
  input: { path: toolCallId },
  ...(vendorData !== undefined && { vendorData }),
});
const result = (toolCallId: string, value: string): Message => {
  return { role: "tool", toolCallId, name: "read", text: value, isError: false };
};

describe("jobOf", () => {
  it("puts results into their calls, and later text into the same reply", () => {
    const messages: Message[] = [
      user(text("One.")),
      user(text("Two.")),
      {
        role: "assistant",
        ...own,
        parts: [{ type: "thinking", text: "Hm." }, text("I look."), call("a", { ggufCall: ["raw"] }), call("b")],
      },
      result("a", "A"),
      result("b", "B"),
      { role: "assistant", ...own, parts: [call("c")] },
      result("c", "C"),
    ];
    const { history } = jobOf(request(messages), "gguf");
    expect(history).toEqual([
      { role: "system", text: "Be brief." },
      { role: "user", text: "One.\n\nTwo." },
      {
        role: "model",
        parts: [
          { type: "thinking", text: "Hm." },
          text("I look."),
          { type: "call", name: "read", input: { path: "a" }, result: "A", isFirst: true, raw: ["raw"] },
          { type: "call", name: "read", input: { path: "b" }, result: "B", isFirst: false },
          { type: "call", name: "read", input: { path: "c" }, result: "C", isFirst: true },
        ],
      },
    ]);
    // The reply is not over: the model continues it.
    expect(chatHistory(history)).toHaveLength(3);
    expect(chatHistory(history.slice(0, 2)).at(-1)).toEqual({ type: "model", response: [] });
  });

  it("leaves out the thinking of other models, and their form of calls", () => {
    const parts = [{ type: "thinking" as const, text: "Hm." }, call("a", { ggufCall: ["raw"] })];
    for (const writer of [{ provider: "gguf", model: "other" }, { provider: "openai", model: "tiny" }, {}]) {
      const { history } = jobOf(
        request([user(text("x")), { role: "assistant", parts, ...writer }, result("a", "A")]),
        "gguf",
      );
      expect(history.at(-1)).toEqual({
        role: "model",
        parts: [{ type: "call", name: "read", input: { path: "a" }, result: "A", isFirst: true }],
      });
    }
  });

  it("keeps results without a call, and describes images as text", () => {
    const { history } = jobOf(request([user(text("Look:"), image), result("x", "lost")], { system: "" }), "gguf");
    expect(history).toEqual([{ role: "user", text: "Look:\n[An image, which this model cannot see.]\n\nlost" }]);
  });

  it("passes the limits on, and omits thinking when it is off", () => {
    const schema = { type: "object" };
    const tools = [{ name: "ls", description: "Lists.", inputSchema: schema }];
    const asked = request([user(text("x"))], { tools, responseSchema: schema, maxOutputTokens: 9, effort: "none" });
    expect(jobOf(asked, "gguf")).toMatchObject({
      tools: [{ name: "ls", description: "Lists.", schema }],
      schema,
      maxOutputTokens: 9,
      thinks: false,
    });
  });
});

it("bringsImage counts only new messages", () => {
  expect(bringsImage(request([user(image)]))).toBe(true);
  expect(bringsImage(request([user(image), user(text("x"))]))).toBe(false);
  expect(
    bringsImage(request([{ role: "tool", toolCallId: "a", name: "read", text: "", isError: false, images: [image] }])),
  ).toBe(true);
});
