import { ROOT_AGENT, type SessionUpdate } from "@harness/protocol";
import { describe, expect, it } from "vitest";
import { AnswerStream } from "./answer-stream.ts";

const base = { sessionId: "s", turnId: "t" };
const chunk = (messageId: string, offset: number, text: string, agentId = ROOT_AGENT) =>
  ({ ...base, agentId, update: { sessionUpdate: "agent_message_chunk", messageId, offset, text } }) as SessionUpdate;
const message = (messageId: string, text: string) =>
  ({
    ...base,
    agentId: ROOT_AGENT,
    update: { sessionUpdate: "agent_message", messageId, parts: [{ type: "text", text }], stop: "end_turn" },
  }) as unknown as SessionUpdate;
const retry = { ...base, agentId: ROOT_AGENT, update: { sessionUpdate: "retry" } } as unknown as SessionUpdate;

function written(...updates: readonly (SessionUpdate | "note")[]) {
  const texts: string[] = [];
  const stream = new AnswerStream((text) => texts.push(text));
  for (const update of updates) {
    if (update === "note") stream.breakLine();
    else stream.see(update);
  }
  return { texts, text: texts.join(""), stream };
}

describe("messages as they come", () => {
  it("are written piece by piece, and end their line", () => {
    const { texts, stream } = written(chunk("m", 0, "Hello"), chunk("m", 5, " wor"), message("m", "Hello world"));
    expect(texts).toEqual(["Hello", " wor", "ld", "\n"]);
    expect(stream.hasWritten("Hello world")).toBe(true);
    expect(stream.hasWritten("Hello")).toBe(false);
  });

  it.each<[string, (SessionUpdate | "note")[], string]>([
    ["a message that no chunk announced", [message("m", "whole")], "whole\n"],
    ["two messages", [chunk("a", 0, "one"), message("a", "one"), chunk("b", 0, "two")], "one\n\ntwo"],
    ["a note in the middle of a line", [chunk("a", 0, "one"), "note", chunk("a", 3, "two\n"), "note"], "one\ntwo\n"],
    ["nothing but space before calls", [chunk("a", 0, "\n\n"), message("a", "\n\n"), chunk("b", 0, "x")], "x"],
    ["space before the first word", [chunk("a", 0, "\n "), chunk("a", 2, "x"), message("a", "\n x")], "\n x\n"],
    [
      "an attempt that is repeated",
      [chunk("a", 0, "on"), retry, chunk("a", 0, "one"), message("a", "one")],
      "on\n\none\n",
    ],
    ["chunks of a subagent", [chunk("a", 0, "no", "agent-1"), chunk("b", 0, "yes")], "yes"],
    ["a chunk that was lost", [chunk("a", 0, "on"), chunk("a", 4, "x"), message("a", "on, x")], "on, x\n"],
    ["a call that was written as text", [chunk("a", 0, "Look: {call}"), message("a", "Look:")], "Look: {call}\n"],
    ["a message that a hook rewrote", [chunk("a", 0, "red"), message("a", "blue")], "red\n\nblue\n"],
    ["a message that ends its line", [chunk("a", 0, "one\n"), message("a", "one\n")], "one\n"],
  ])("%s", (_what, updates, text) => {
    expect(written(...updates).text).toBe(text);
  });

  it.each([
    ["a colour", "a \u001b[31mred\u001b[0m b\nc", "a red b\nc\n"],
    ["a title", "a \u001b]0;title\u0007 b\nc", "a  b\nc\n"],
    ["the clipboard", "a\n\u001b]52;c;aGk=\u001b\\b\n", "a\nb\n"],
    ["a sequence of one character", "a \u009b2Jb", "a b\n"],
    ["one that never ends", "a \u001b]0;title", "a \n"],
    ["a character outside the first plane", "a 😀 b", "a 😀 b\n"],
  ])("takes %s out, wherever the pieces are cut", (_what, whole, shown) => {
    for (let size = 1; size <= whole.length; size += 1) {
      const pieces: SessionUpdate[] = [];
      for (let at = 0; at < whole.length; at += size) pieces.push(chunk("m", at, whole.slice(at, at + size)));
      const { texts, text } = written(...pieces, message("m", whole));
      expect(text, `pieces of ${size}`).toBe(shown);
      for (const each of texts) expect(each.isWellFormed()).toBe(true);
    }
  });
});
