import { describe, expect, it } from "vitest";
import { MessageDraft } from "./message-draft.ts";

describe("a message of several lines", () => {
  it.each([
    [["one"], ["one"]],
    [
      ["one\\", "two"],
      [undefined, "one\ntwo"],
    ],
    [
      ["one\\", "", "three"],
      [undefined, "one\n", "three"],
    ],
    [["C:\\\\"], ["C:\\\\"]],
    [
      ["see ```ts", "let a;", "```", "next"],
      [undefined, undefined, "see ```ts\nlet a;\n```", "next"],
    ],
    [
      ["a ``` alone", ""],
      [undefined, "a ``` alone\n"],
    ],
    [["```a``` and `b"], ["```a``` and `b"]],
  ])("%j is read as %j", (lines, read) => {
    const draft = new MessageDraft();
    expect(lines.map((line) => draft.take(line))).toEqual(read);
    expect(draft.isEmpty).toBe(true);
  });

  it("gives out what there is when nothing follows", () => {
    const draft = new MessageDraft();
    draft.take("one\\");
    expect([draft.isEmpty, draft.end(), draft.end(), draft.isEmpty]).toEqual([false, "one\\", undefined, true]);
  });
});
