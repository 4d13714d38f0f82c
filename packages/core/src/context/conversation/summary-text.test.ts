import { describe, expect, it } from "vitest";
import type { ModelMessage } from "../../ports/provider.ts";
import { keepBoundary } from "./keep-boundary.ts";
import { summaryRequestText, transcriptOf, withLastPrompt } from "./summary-text.ts";

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

describe("the boundary of a compaction", () => {
  const chat = Array.from({ length: 7 }, (_, n) => [user(`u${n}`), says(`a${n}`)]).flat();
  const work = [user("go"), ...Array.from({ length: 7 }, (_, n) => [calls(`c${n}`), result(`c${n}`)]).flat()];
  it.each([
    ["five pairs of a chat", chat, 5, 4],
    ["with a message that has no answer yet", [...chat, user("new")], 5, 4],
    ["all that there is", chat.slice(0, 10), 5, 0],
    ["less than there is", chat.slice(0, 4), 5, 0],
    ["one pair", chat, 1, 12],
    ["five steps of work, never a result without its call", work, 5, 5],
    ["one step of work", work, 1, 13],
    ["several messages before a reply go with it", [user("a"), says("b"), user("c"), user("d"), says("e")], 1, 2],
    ["nothing at all", [], 5, 0],
    ["only a question", [user("a")], 5, 0],
  ])("the boundary of a compaction: %s", (_name, messages, pairs, boundary) => {
    expect(keepBoundary(messages, pairs)).toBe(boundary);
    expect(messages[boundary]?.role).not.toBe("tool");
  });
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

  it("a summary quotes the last prompt where it would be lost", () => {
    expect(withLastPrompt("S", undefined)).toBe("S");
    expect(withLastPrompt("S", "do it")).toBe("S\n\nThe last message from the person, word for word:\ndo it");
  });
});
