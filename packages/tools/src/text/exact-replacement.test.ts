import { describe, expect, it } from "vitest";
import { replaceExactly } from "./exact-replacement.ts";

const replaced = (text: string, old: string, into: string, all = false) => {
  const result = replaceExactly(text, old, into, { all });
  return result.outcome === "replaced" ? result.text : result.outcome;
};

describe("an exact replacement", () => {
  it("treats both texts literally", () => {
    expect(replaced("a.b", ".", "$&$1")).toBe("a$&$1b");
    expect(replaced("a$&b", "$&", "\\1")).toBe("a\\1b");
  });

  it("returns the place and the count", () => {
    expect(replaceExactly("x\ny\nx\n", "x", "z", { all: false })).toEqual({
      outcome: "ambiguous",
      lines: [1, 3],
      count: 2,
    });
    expect(replaceExactly("x\ny\nx\n", "x", "z", { all: true })).toEqual({
      outcome: "replaced",
      text: "z\ny\nz\n",
      lines: [1, 3],
    });
    expect(replaceExactly("x", "y", "z", { all: true })).toEqual({ outcome: "missing" });
    expect(replaced("aaa", "aa", "b", true)).toBe("ba");
  });

  it("matches both kinds of line ends, and keeps those of the place", () => {
    expect(replaced("a\r\nb\r\nc\r\n", "a\nb\n", "x\ny\nz\n")).toBe("x\r\ny\r\nz\r\nc\r\n");
    expect(replaced("a\r\nb\r\n", "a\r\nb", "x\r\ny")).toBe("x\r\ny\r\n");
    expect(replaced("a\r\nb\r\nc", "b", "b1\nb2")).toBe("a\r\nb1\r\nb2\r\nc");
    // Mixed line ends: the changed lines take those of their place, the rest stays.
    expect(replaced("a\r\nb\r\nc\nd\n", "c\nd", "e\nf")).toBe("a\r\nb\r\ne\nf\n");
    expect(replaced("a\nb\nc\r\nd\r\n", "c\nd", "e\nf")).toBe("a\nb\ne\r\nf\r\n");
    expect(replaced("a\r\n\nb", "\n\nb", "\nc")).toBe("a\r\nc");
  });

  it("refuses a result that is too large", () => {
    expect(replaced("a".repeat(100_001), "a", "b", true)).toBe("tooMuch");
    expect(replaced("a".repeat(1000), "a", "b".repeat(1_000_000), true)).toBe("tooMuch");
  });

  it("never changes a character outside the replaced text", () => {
    let seed = 42;
    const random = (below: number) => {
      seed = (seed * 1_103_515_245 + 12_345) & 0x7fffffff;
      return (seed >> 8) % below;
    };
    const letters = ["a", "b", "é", "😀", "\t", " ", "\n", "\r\n", "\r\n", "\n"];
    const word = (length: number, from = letters) => Array.from({ length }, () => from[random(from.length)]).join("");
    const outside = [...letters, "\r", "\u2028"];
    for (let round = 0; round < 3000; round++) {
      const before = word(random(12), outside);
      const after = word(random(12), outside);
      const middle = `<${word(random(6))}>`;
      // As a model sees and writes it: with plain line ends.
      const old = middle.replaceAll("\r\n", "\n");
      const into = `[${word(random(6)).replaceAll("\r\n", "\n")}]`;
      const result = replaced(before + middle + after, old, into);
      expect(result.startsWith(before)).toBe(true);
      expect(result.endsWith(after)).toBe(true);
      const inside = result.slice(before.length, result.length - after.length);
      expect(inside.replaceAll("\r\n", "\n")).toBe(into.replaceAll("\r\n", "\n"));
    }
  });
});
