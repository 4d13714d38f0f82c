import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { PathPattern } from "../places/path-pattern.ts";
import { WildcardPattern, type WildPart } from "./wildcard.ts";

/** The meaning of rule patterns as a backtracking expression: correct, but slow on hostile input. */
function expressionOf(pattern: string, inAnyCase: boolean): RegExp {
  const source = pattern
    .split(/(\/\*\*$|\*\*\/|\*\*|\*|\?)/)
    .map((part) => {
      if (part === "/**") return "(?:/.*)?";
      if (part === "**/") return "(?:.*/)?";
      if (part === "**") return ".*";
      if (part === "*") return "[^/]*";
      return part === "?" ? "[^/]" : part.replace(/[.+^${}()|[\]\\]/g, "\\$&");
    })
    .join("");
  return new RegExp(`^${source}$`, inAnyCase ? "isu" : "su");
}

const patterns = fc.array(fc.constantFrom("a", "b", "A", "/", "*", "**", "**/", "/**", "?", "é", "ſ"), {
  maxLength: 9,
});
const paths = fc.array(fc.constantFrom("a", "b", "A", "s", "/", "É", "😀", "\n"), { maxLength: 9 });

describe("patterns with wildcards", () => {
  it("mean what their expressions mean", async () => {
    await fc.assert(
      fc.property(patterns, paths, fc.constantFrom("allow", "deny"), (pattern, path, use) => {
        // An absolute pattern is held against the whole path.
        const text = `/x${pattern.join("")}`;
        if (text.includes("//") || text.endsWith("/")) return;
        const place = `/x${path.join("")}`;
        const wanted = expressionOf(text, use === "deny").test(place);
        const cover = new PathPattern(text).cover(place, "/r", use);
        expect(wanted && cover === undefined, `${text} and ${place}`).toBe(false);
        if (/[*?][^/]*$/.test(text)) expect(cover !== undefined).toBe(wanted);
      }),
      { numRuns: 3_000 },
    );
  });

  it("take the same letters for one another as expressions do", () => {
    const one = (char: string) => new WildcardPattern([{ kind: "one", fits: char }], { inAnyCase: true });
    for (let code = 1; code < 0x1_0000; code += 1) {
      const char = String.fromCharCode(code);
      const [lower, upper] = [char.toLowerCase(), char.toUpperCase()];
      if (/[\\^$.*+?()[\]{}|/]/.test(char) || (lower === char && upper === char)) continue;
      const expression = new RegExp(`^${char}$`, "iu");
      for (const other of [lower, upper, lower.toUpperCase(), upper.toLowerCase()])
        if (expression.test(other)) expect(one(char).test(other), `${code.toString(16)} ${other}`).toBe(true);
    }
  });

  const hostile: readonly [name: string, pattern: string, text: string][] = [
    ["stars", `/x/${"*a".repeat(100)}*/z`, `/x/${"a".repeat(240)}`],
    ["folders", `/x/${"**/a/".repeat(100)}z`, `/x/${"a/".repeat(500)}`],
    ["stars of both kinds", `/x/${"**a*".repeat(90)}/z`, `/x/${"a/a".repeat(500)}`],
    ["folders next to each other", `/x/${"**/".repeat(160)}z`, `/x/${"/".repeat(2_000)}`],
    ["one character each", `/x/${"?*".repeat(200)}/z`, `/x/${"a".repeat(240)}`],
  ];
  it.each(hostile)("end with %s that would keep an expression busy for years", (_name, pattern, text) => {
    for (const use of ["allow", "deny"] as const)
      expect(new PathPattern(pattern).cover(text, "/r", use)).toBe(undefined);
  });

  it("follow a path that comes in parts, and know when nothing can follow", () => {
    const parts: WildPart[] = [..."src/"].map((char) => ({ kind: "one", fits: char }));
    const wildcard = new WildcardPattern([...parts, { kind: "folders" }, { kind: "run", within: true }]);
    const src = wildcard.advance(wildcard.start(), "src/");
    expect(wildcard.isWhole(wildcard.advance(src, "a/b.ts"))).toBe(true);
    expect(wildcard.isOpen(wildcard.advance(wildcard.start(), "lib/"))).toBe(false);
  });
});
