import { describe, expect, it } from "vitest";
import type { ModelMessage } from "../../ports/provider.ts";
import { quotedPrompts, summaryRequestText, transcriptOf } from "./summary-text.ts";

const user = (text: string): ModelMessage => ({ role: "user", content: [{ type: "text", text }] });
const says = (text: string): ModelMessage => ({ role: "assistant", parts: [{ type: "text", text }] });
const calls = (id: string): ModelMessage => ({
  role: "assistant",
  parts: [{ type: "tool_call", toolCallId: id, name: "read", input: { file_path: "a" } }],
});
const result = (id: string, text = "r"): ModelMessage => ({
  role: "tool",
  toolCallId: id,
  name: "read",
  text,
  isError: false,
});

describe("a transcript", () => {
  const messages = [user("go"), says("I look."), calls("a"), result("a", "x".repeat(5_000)), user("and?")];

  it("a transcript labels its lines and cuts results", () => {
    const text = transcriptOf(messages, 100_000);
    expect(text).toContain(
      'User: go\n\nAssistant: I look.\n\nAssistant tool_call: read {"file_path":"a"}\n\nTool result (read): xxx',
    );
    expect(text).toContain(`${"x".repeat(2_000)} [… cut, 5000 characters]`);
    expect(text.length).toBeLessThan(2_300);
  });

  it("a transcript cuts results further, then leaves out the middle", () => {
    expect(transcriptOf(messages, 1_000)).toContain(`${"x".repeat(500)} [… cut`);
    const long = transcriptOf([user("a".repeat(10_000)), says("z".repeat(10_000))], 3_000);
    expect(long.length).toBeLessThan(3_100);
    expect(long).toMatch(/^User: a+\n\[… 17\d+ characters left out\]\nz+$/);
  });

  it("a transcript goes into a request with the wishes of the person", () => {
    expect(summaryRequestText("T", " the API ")).toContain("Above all keep: the API");
    expect(summaryRequestText("T", "  ")).not.toContain("Above all");
  });

  it.each([
    ["nothing where there is nothing", [], 100, ""],
    [
      "all that fit, in order",
      ["one", "two"],
      100,
      "word for word:\n<message>\none\n</message>\n<message>\ntwo\n</message>",
    ],
    ["the newest where not all fit", ["one", "two"], 5, "without the 1 oldest:\n<message>\ntwo\n</message>"],
    [
      "the newest cut where it does not fit by itself",
      ["one", "x".repeat(9)],
      5,
      "<message>\nxxxxx [… cut, 9 characters]\n",
    ],
  ])("a summary quotes messages of the person: %s", (_name, prompts, maxChars, text) => {
    expect(quotedPrompts(prompts, maxChars)).toContain(text);
    expect(quotedPrompts(prompts, maxChars) === "").toBe(text === "");
  });
});
