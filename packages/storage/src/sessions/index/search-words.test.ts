import { describe, expect, it } from "vitest";
import { indexedText, termsOf } from "./search-words.ts";
import { excerptAt, textMatch } from "./text-match.ts";

describe("the words of a text", () => {
  it.each([
    ["Repair the PARSER, please.", "repair the parser please"],
    ["src/parser-cache.ts", "src parser cache ts"],
    ["parserCache and HTTPServer2", "parsercache and httpserver2 parser cache http server 2"],
    ["Übergröße café naïve", "ubergroße cafe naive"],
    ["検索する機能", "検 索 す る 機 能"],
    ["fix検索now", "fix 検 索 now"],
    ["ภาษา", "ภ า ษ า"],
    ["हिन्दी में", "हिन्दी में"],
    ["", ""],
    ["…!?", ""],
    ["x".repeat(100), "x".repeat(64)],
  ])("of %s", (text, words) => {
    expect(indexedText(text)).toBe(words);
  });
});

describe("the terms of a query", () => {
  it.each([
    ["parser cache", [["parser*"], ["cache*"]]],
    ["of it", [["of"], ["it"]]],
    ["src/parser.ts", [["src", "parser", "ts"]]],
    ['"exact words" more', [["exact", "words"], ["more*"]]],
    ['"never closed', [["never", "closed"]]],
    ["same same SAME", [["same*"]]],
    ["AND OR NOT * ( ) ^ :", [["and*"], ["or"], ["not*"]]],
    ["検索", [["検", "索"]]],
    [" \n", []],
  ])("of %s", (query, terms) => {
    const marked = termsOf(query).map(({ words, isBegin }) =>
      words.map((word, at) => (isBegin && at === words.length - 1 ? `${word}*` : word)),
    );
    expect(marked).toEqual(terms);
  });
});

describe("a passage", () => {
  it.each([
    ["case and accents", "Das CAFÉ", "cafe", 4],
    ["the beginning of a word", "two parsers", "pars", 4],
    ["a part of a name", "see parserCache", "cache", 4],
    ["words in their order", "a b, then exact words", '"exact words"', 10],
    ["a path", "in src/parser.ts:3", "parser.ts", 7],
  ])("matches %s", (_what, text, query, at) => {
    expect(textMatch(text, termsOf(query))).toMatchObject({ terms: 1, at });
  });

  it.each([
    ["the middle of a word", "comparser", "parser"],
    ["other words between", "exact other words", '"exact words"'],
    ["a short word that goes on", "often", "of"],
  ])("does not match %s", (_what, text, query) => {
    expect(textMatch(text, termsOf(query))).toBeUndefined();
  });

  it("is shown where most of the words are near each other, on one line", () => {
    const text = `alpha ${"filler ".repeat(200)}alpha\n\tbeta gamma ${"filler ".repeat(200)}`;
    const { at } = textMatch(text, termsOf("alpha beta gamma")) ?? { at: 0 };
    const excerpt = excerptAt(text, at);
    expect(excerpt).toContain("alpha beta gamma");
    expect(excerpt.startsWith("…") && excerpt.endsWith("…")).toBe(true);
  });
});
