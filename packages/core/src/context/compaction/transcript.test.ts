import { describe, expect, it } from "vitest";
import type { ModelMessage } from "../../ports/provider.ts";
import { mergeRequestText, summaryRequestText } from "./summary-request.ts";
import { halvesOf, transcriptOf, transcriptParts } from "./transcript.ts";

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

  it("a transcript labels its messages and cuts results, and nothing else", () => {
    const lines = transcriptOf([...messages, says("z".repeat(5_000))]);
    expect(lines.slice(0, 3)).toEqual([
      "User: go",
      "Assistant: I look.",
      'Assistant tool_call: read {"file_path":"a"}',
    ]);
    expect(lines[3]).toBe(`Tool result (read): ${"x".repeat(2_000)} [… cut, 5000 characters]`);
    expect(lines[5]).toHaveLength(5_011);
  });

  it.each([
    [1, [1]],
    [200, [200]],
    [201, [101, 100]],
    [499, [250, 249]],
    [500, [200, 200, 100]],
    [1_001, [200, 200, 200, 200, 200, 1]],
  ])("a transcript of %d messages is split into %j", (count, sizes) => {
    const lines = Array.from({ length: count }, (_, n) => `User: ${n}`);
    const parts = transcriptParts(lines, 100_000);
    expect(parts.map(({ length }) => length)).toEqual(sizes);
    expect(parts.flat()).toEqual(lines);
  });

  it("a transcript that is too long for one request is split where it is full, and no character is lost", () => {
    const lines = ["a".repeat(50), "b".repeat(60), "c".repeat(250), "d"];
    const parts = transcriptParts(lines, 100);
    expect(parts.flat().join("")).toBe(lines.join(""));
    for (const part of parts) expect(part.join("\n\n").length).toBeLessThanOrEqual(100);
  });

  it("a part is halved by length, also within a message, until there is nothing to halve", () => {
    expect(halvesOf(["aaaa", "bb", "cc"])).toEqual([["aaaa"], ["bb", "cc"]]);
    expect(halvesOf(["abcd"])).toEqual([["ab"], ["cd"]]);
    expect(halvesOf(["a"])).toBeUndefined();
  });

  it("a transcript goes into a request with the wishes of the person, and its place among others", () => {
    expect(summaryRequestText("T", " the API ")).toContain("Above all, keep: the API");
    expect(summaryRequestText("T", "  ")).not.toContain("Above all");
    expect(summaryRequestText("T", "", { number: 2, of: 3 })).toContain("part 2 of 3");
    expect(mergeRequestText(["one", "two"], "the API")).toMatch(/the API\n\n<part number="1">\none\n.*two\n<\/part>$/s);
  });
});
