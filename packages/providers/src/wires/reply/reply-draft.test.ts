import { describe, expect, it } from "vitest";
import { ReplyDraft } from "./reply-draft.ts";

function draft(): ReplyDraft {
  return new ReplyDraft({ takenIds: () => new Set(), newId: () => "made" });
}

describe("a reply as it arrives", () => {
  it("emits together the pieces that came together", () => {
    const reply = draft();
    reply.addThinking("a");
    reply.addThinking("b");
    reply.addText("c");
    reply.addText("d");
    reply.addCall({ index: 0, id: "x", name: "ls", text: "{" });
    reply.addCall({ index: 0, id: "", name: "", text: "}" });
    expect(reply.takeDeltas()).toEqual([
      { type: "thinking", text: "ab" },
      { type: "text", text: "cd" },
      { type: "tool_input", toolCallId: "x", name: "ls", text: "{}" },
    ]);
    expect(reply.takeDeltas()).toEqual([]);
  });

  it("hands on a call when the next one begins, and never the last one", () => {
    const reply = draft();
    const whole = () => reply.takeDeltas().flatMap((event) => (event.type === "call" ? [event.part.toolCallId] : []));
    reply.addCall({ index: 0, id: "a", name: "ls", text: '{"path":"x"}' });
    expect(whole()).toEqual([]);
    reply.addCall({ index: 1, id: "b", name: "ls", text: "" });
    expect(whole()).toEqual(["a"]);
    reply.addCall({ index: 1, id: "", name: "", text: "{}" });
    reply.finish = "length";
    expect(whole()).toEqual([]);
    expect(reply.end().parts).toMatchObject([{ toolCallId: "a" }, { toolCallId: "b", input: {} }]);
  });

  it("hands on a call when a block begins behind it", () => {
    const reply = draft();
    reply.addCall({ index: 0, id: "a", name: "ls", text: "{}" });
    reply.startBlock("text");
    expect(reply.takeDeltas().at(-1)).toEqual({
      type: "call",
      part: { type: "tool_call", toolCallId: "a", name: "ls", input: {} },
    });
  });

  it("hands on no call whose arguments may still come", () => {
    const reply = draft();
    reply.addCall({ index: 0, id: "a", name: "ls", text: "" });
    reply.addCall({ index: 1, id: "b", name: "ls", text: "{}" });
    reply.addCall({ index: 2, id: "c", name: "ls", text: "" });
    expect(reply.takeDeltas().filter(({ type }) => type === "call")).toEqual([]);
    reply.addCall({ index: 0, id: "", name: "", text: '{"path":"x"}' });
    expect(reply.end().parts[0]).toMatchObject({ input: { path: "x" } });
  });

  it("hands on no call behind one that cannot be read", () => {
    const reply = draft();
    for (const [index, text] of ['{"path":', "{}", "{}"].entries())
      reply.addCall({ index, id: `${index}`, name: "ls", text });
    expect(reply.takeDeltas().filter(({ type }) => type === "call")).toEqual([]);
  });

  it("stops where text, thinking and arguments together are more than a reply can mean", () => {
    const reply = draft();
    const piece = "x".repeat(2 * 1024 * 1024);
    reply.addThinking(piece);
    reply.addText(piece);
    reply.addCall({ index: 0, id: "x", name: "", text: piece });
    reply.addCall({ index: 0, id: "x", name: "write", text: piece });
    expect(() => reply.addText("y")).toThrow("a reply of more than 8 MB");
  });

  it("waits for the second half of a character", () => {
    const reply = draft();
    reply.addText("a\ud83c");
    expect(reply.takeDeltas()).toEqual([{ type: "text", text: "a" }]);
    reply.addText("\udf89b");
    expect(reply.takeDeltas()).toEqual([{ type: "text", text: "🎉b" }]);
    expect(reply.end().parts).toEqual([{ type: "text", text: "a🎉b" }]);
  });

  it("replaces half characters that stay alone, without moving text", () => {
    const reply = draft();
    reply.addText("a\udf89b\ud83c");
    reply.addText("c\ud83c");
    const streamed = reply.takeDeltas().map((delta) => ("text" in delta ? delta.text : ""));
    expect(streamed.join("")).toBe("a\uFFFDb\uFFFDc");
    expect(reply.end().parts).toEqual([{ type: "text", text: "a\uFFFDb\uFFFDc\uFFFD" }]);
  });

  it.each([
    ["end", true, "tool_calls"],
    ["end", false, "end"],
    ["tool_calls", true, "tool_calls"],
    ["tool_calls", false, "end"],
    [undefined, true, "tool_calls"],
    ["length", true, "length"],
    ["refusal", false, "refusal"],
  ] as const)("stops by %s with calls %s as %s", (finish, hasCall, stop) => {
    const reply = draft();
    reply.finish = finish;
    if (hasCall) reply.addCall({ index: 0, id: "x", name: "ls", text: "" });
    expect(reply.end().stop).toBe(stop);
  });

  it("keeps calls and vendor data out of a truncated reply", () => {
    const reply = draft();
    reply.addThinking("hm");
    reply.addText("so");
    reply.thinkingData = { field: "reasoning" };
    reply.addCall({ index: 0, id: "x", name: "ls", text: "{}" });
    expect(reply.visibleParts()).toEqual([
      { type: "thinking", text: "hm" },
      { type: "text", text: "so" },
    ]);
  });

  it("keeps blocks and calls in the order in which they began", () => {
    const reply = draft();
    const first = reply.startBlock("thinking");
    first.add("a");
    first.signature = "s1";
    reply.startBlock("text").add("b");
    reply.addCall({ index: 2, id: "x", name: "ls", text: "{" });
    const second = reply.startBlock("thinking");
    second.vendorData = { sealed: "…" };
    reply.addCall({ index: 2, id: "", name: "", text: "}" });
    reply.addCall({ index: 4, id: "y", name: "ls", text: "{}" });
    reply.startBlock("thinking");
    reply.startBlock("text");
    first.add("!");
    expect(reply.end().parts).toEqual([
      { type: "thinking", text: "a!", signature: "s1" },
      { type: "text", text: "b" },
      { type: "tool_call", toolCallId: "x", name: "ls", input: {} },
      { type: "thinking", text: "", vendorData: { sealed: "…" } },
      { type: "tool_call", toolCallId: "y", name: "ls", input: {} },
    ]);
    expect(reply.visibleParts()).toEqual([
      { type: "thinking", text: "a!" },
      { type: "text", text: "b" },
    ]);
  });
});
