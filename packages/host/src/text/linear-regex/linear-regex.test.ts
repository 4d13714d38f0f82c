import { describe, expect, it } from "vitest";
import { LinearRegex } from "./linear-regex.ts";

function read(source: string, flags = ""): LinearRegex {
  const regex = LinearRegex.read(source, flags);
  if ("problem" in regex) throw new Error(`${source} ${regex.problem}`);
  return regex;
}

/** Generates sentences of a small grammar of expressions, always the same ones. */
function* expressions(count: number): Generator<string> {
  let seed = 7;
  const random = (below: number) => {
    seed = (seed * 1_103_515_245 + 12_345) & 0x7fffffff;
    return (seed >> 8) % below;
  };
  const pick = (from: readonly string[]) => from[random(from.length)] ?? "";
  const atoms = [
    "a",
    "b",
    ".",
    "\\w",
    "\\d",
    "[ab]",
    "[^a]",
    "\\b",
    "^",
    "$",
    "x",
    "\\x61",
    "\\u0062",
    "-",
    "[\\]a]",
    "é",
    "\\.",
  ];
  const quantifiers = ["", "", "", "*", "+", "?", "{2}", "{1,3}", "{1,}", "*?", "+?"];
  const made = (depth: number): string =>
    Array.from({ length: 1 + random(3) }, () => {
      const kind = random(8);
      if (depth > 0 && kind === 0) return `(${made(depth - 1)}|${made(depth - 1)})${pick(quantifiers)}`;
      if (depth > 0 && kind === 1) return `(?:${made(depth - 1)})${pick(quantifiers)}`;
      if (depth > 0 && kind === 2) return `(?${pick(["=", "!"])}${made(depth - 1)})`;
      const atom = pick(atoms);
      return /^(?:\\b|\^|\$)$/.test(atom) ? atom : atom + pick(quantifiers);
    }).join("");
  for (let n = 0; n < count; n += 1) yield made(2);
}

describe("expressions in linear time", () => {
  const texts = ["", "a", "b", "ab", "ba", "aab-x", "xaab", "1 a2", "bbbb\na", "É😀a", "aaaa", "x.b", "A"];

  it("match where the language says", () => {
    for (const source of expressions(600)) {
      for (const flags of ["", "i", "s", "m", "u"]) {
        let wanted: RegExp;
        try {
          wanted = new RegExp(source, flags);
        } catch {
          continue;
        }
        const regex = read(source, flags);
        for (const text of texts)
          expect(regex.search(text), `/${source}/${flags} in ${text}`).toBe(text.search(wanted));
      }
    }
  });

  it("match sets and escapes of Unicode, and names of groups", () => {
    expect(read("\\p{Lu}+", "u").search("aÉÀ")).toBe(1);
    expect(read("^\\u{1f600}$", "u").search("😀")).toBe(0);
    expect(read("(?<first>a)b").search("xab")).toBe(1);
    expect(read("mcp__.*__(?:write|edit).*").search("mcp__disk__edit_file")).toBe(0);
    expect(read("^(?!Bash$).*").search("Bash")).toBe(-1);
    expect(read("}{,x]").search("a}{,x]")).toBe(1);
  });

  it.each(["(a+)+$", "(a|a)*b", "(a*)*b", "(.*)*x", "a*a*a*a*a*a*b", "(?:a?){40}a{40}b", "(?=(a+)+$)b", "((a+)+)+!"])(
    "end although the language would need years: %s",
    (source) =>
      expect(read(source).search(`${"a".repeat(200)}!!`)).toSatisfy((at) => at === -1 || source.includes("!")),
  );

  it.each([
    ["(a)\\1", "refers back to what a group has matched, which cannot be matched quickly"],
    ["(?<n>a)\\k<n>", "refers back to what a group has matched, which cannot be matched quickly"],
    ["(?<=a)b", "looks behind, which cannot be matched quickly"],
    ["(?<!a)b", "looks behind, which cannot be matched quickly"],
    ["((a{100}){100}){100}", "repeats too much, which cannot be matched quickly"],
    ["(?:a{0,1000}){0,1000}", "repeats too much, which cannot be matched quickly"],
    [
      "(".repeat(200) + ")".repeat(200),
      "has groups inside more than a hundred others, which cannot be matched quickly",
    ],
    ["(a", "is not a valid regular expression"],
  ])("say why they are none: %s", (source, problem) => expect(LinearRegex.read(source)).toEqual({ problem }));

  it("give up on a text that is too long for them, instead of holding everything up", () => {
    expect(read("(?:a+b?)+c").search("a".repeat(1_000_000))).toBeUndefined();
    expect(read("(?:(?=a*b)a)*c").search("a".repeat(20_000))).toBeUndefined();
  });
});
