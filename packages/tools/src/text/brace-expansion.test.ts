import { describe, expect, it } from "vitest";
import { expandBraces } from "./brace-expansion.ts";

describe("expandBraces", () => {
  it.each<[pattern: string, expected: string[]]>([
    ["a", ["a"]],
    ["*.{ts,js}", ["*.ts", "*.js"]],
    ["{a,b}/{c,d}", ["a/c", "a/d", "b/c", "b/d"]],
    ["{a,b{c,d}e,}x", ["ax", "bcex", "bdex", "x"]],
    ["..{,}", [".."]],
    ["{{a,b},c}", ["a", "b", "c"]],
    ["{a}", ["{a}"]],
    ["{a", ["{a"]],
    ["a}{b,c}", ["a}b", "a}c"]],
    ["{a{b,c}", ["{ab", "{ac"]],
    ["{x{b,c}}", ["{xb}", "{xc}"]],
    ["\\{a,b}", ["\\{a,b}"]],
    ["{a\\,b,c}", ["a\\,b", "c"]],
    ["{a,b\\}}", ["a", "b\\}"]],
    ["[{a,b}]", ["[{a,b}]"]],
    ["[id].{ts,tsx}", ["[id].ts", "[id].tsx"]],
    ["[{a,b}", ["[a", "[b"]],
    ["v{1..3}", ["v1", "v2", "v3"]],
    ["{3..1}", ["3", "2", "1"]],
    ["{08..10}", ["08", "09", "10"]],
    ["{-1..1}", ["-1", "0", "1"]],
    ["{0..10..5}", ["0", "5", "10"]],
    ["{a..e..2}", ["a", "c", "e"]],
    ["{..}", ["{..}"]],
    ["{.,..}", [".", ".."]],
    ["", [""]],
  ])("expands %s", (pattern, expected) => {
    expect(expandBraces(pattern, 100)).toEqual(expected);
  });

  it("stops at its limit without creating further patterns", () => {
    expect(expandBraces("{a,b}".repeat(300), 1000)).toBeUndefined();
    expect(expandBraces("{1..999999999}", 1000)).toBeUndefined();
    expect(expandBraces("{a..z}{a..z}{a..z}", 1000)).toBeUndefined();
    expect(expandBraces("{".repeat(1000), 1000)).toEqual(["{".repeat(1000)]);
    expect(expandBraces("{a..z}{1..38}", 1000)).toHaveLength(988);
  });
});
