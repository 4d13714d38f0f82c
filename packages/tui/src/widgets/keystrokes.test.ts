import { describe, expect, it } from "vitest";
import { keystrokes, type Line } from "./keystrokes.ts";

/** `|` is the cursor. */
function line(text: string): Line {
  return { text: text.replace("|", ""), offset: text.indexOf("|") };
}

/** A field that knows no more than ink-text-input does. */
function pressed({ text, offset }: Line, keys: readonly string[]): string {
  let [before, after] = [text.slice(0, offset), text.slice(offset)];
  for (const key of keys) {
    if (key === "\u001b[D") [before, after] = [before.slice(0, -1), before.slice(-1) + after];
    else if (key === "\u001b[C") [before, after] = [before + after.slice(0, 1), after.slice(1)];
    else if (key === "\u007f") before = before.slice(0, -1);
    else before += key;
  }
  return `${before}|${after}`;
}

describe("the keys that make one line of another", () => {
  it.each([
    ["|", "a|", 1],
    ["a|b", "axyz|b", 1],
    ["aa|", "aaa|", 1],
    ["a|a", "aa|a", 1],
    ["ab|", "a|b", 1],
    ["|ab", "ab|", 2],
    ["one two|", "one |", 3],
    ["one t|wo", "one |wo", 1],
    ["one |two", "one |", 6],
    ["one two|", "|", 7],
    ["a|b", "a|", 2],
    ["日本|", "日|", 1],
    ["x😀|", "x|", 2],
    ["abc|", "|xyz", 7],
    ["same|", "same|", 0],
  ])("%j to %j", (from, to, count) => {
    const keys = keystrokes(line(from), line(to));
    expect([pressed(line(from), keys), keys.length]).toEqual([to, count]);
  });
});
