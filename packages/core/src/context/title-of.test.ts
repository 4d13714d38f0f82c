import { describe, expect, it } from "vitest";
import { makeTitle } from "./title-of.ts";

describe("a title", () => {
  it.each([
    ["Fix the parser", "Fix the parser"],
    ["\n  \n Fix\tthe   parser \nnow", "Fix the parser"],
    ["```\ncode", "code"],
    ["", undefined],
    ["…?!", undefined],
    ["\u001b[31mred", "[31mred"],
    ["日本語のタイトル", "日本語のタイトル"],
    [`${"word ".repeat(20)}`, "word word word word word word word word word word word…"],
    ["x".repeat(100), `${"x".repeat(59)}…`],
  ])("a title: %j: %j", (text, title) => {
    expect(makeTitle(text)).toBe(title);
  });

  it("a title is not cut through a character", () => {
    const title = makeTitle(`${"x".repeat(58)}😀😀😀`);
    expect(title?.isWellFormed()).toBe(true);
    expect(title?.length).toBeLessThanOrEqual(60);
  });
});
