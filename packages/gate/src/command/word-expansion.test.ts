import { describe, expect, it } from "vitest";
import { expandWord } from "./word-expansion.ts";

const open = (text: string) => expandWord({ text, literal: false });

describe("a word of a shell", () => {
  it.each([
    ["{foo,bar}.txt", ["foo.txt", "bar.txt"], []],
    ["{a,b}{c,d}", ["ac", "ad", "bc", "bd"], []],
    ["{a,{b,c}}x", ["ax", "bx", "cx"], []],
    ["fo[o].txt", ["foo.txt"], []],
    ["fo[ox].txt", ["foo.txt", "fox.txt"], []],
    ["fo[n-p].txt", [], ["fo?.txt"]],
    ["fo[!x].txt", [], ["fo?.txt"]],
    ["a{1..3}", [], ["a*"]],
    ["{a,b*}", ["a"], ["b*"]],
    ["a$((1+1)).txt", [], ["a*.txt"]],
    ["a$?", [], ["a*"]],
  ])("comes to: %s", (text, names, patterns) => {
    expect(open(text)).toEqual({ names, patterns, isOpen: false });
  });
  it.each(["$x", "a$(b)", "`b`", "{}", "~+/a", "~me/a", "@(a|b)", "a$1", `${"{a,b}".repeat(20)}`])(
    "may be anything: %s",
    (text) => expect(open(text)).toEqual({ names: [], patterns: [], isOpen: true }),
  );
  it("is itself in quotes", () => {
    expect(expandWord({ text: "{a,b}*$x", literal: true })).toEqual({
      names: ["{a,b}*$x"],
      patterns: [],
      isOpen: false,
    });
  });
});
