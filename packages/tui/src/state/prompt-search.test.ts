import { describe, expect, it } from "vitest";
import { searchOf, withPool } from "./prompt-search.ts";

const pool = [
  "run the tests again",
  "fix the lexer",
  "Fix the Parser\nand its tests",
  "refactor everything at once",
].map((text) => ({ text }));
const found = (query: string) => searchOf(pool, query).found.map(({ text }) => text);

describe("a search through what was typed", () => {
  it.each([
    ["", pool.map(({ text }) => text)],
    ["fix the", ["fix the lexer", "Fix the Parser\nand its tests"]],
    ["FIX", ["fix the lexer", "Fix the Parser\nand its tests"]],
    // The words in the given order come before words in another order, even if those are newer.
    ["the tests", ["run the tests again", "Fix the Parser\nand its tests"]],
    ["tests fix", ["Fix the Parser\nand its tests"]],
    ["fxlxr", ["fix the lexer"]],
    ["lxrfx", []],
    ["fx lxr", ["fix the lexer"]],
    ["prsr", ["Fix the Parser\nand its tests"]],
    ["zzz", []],
  ])("for %j", (query, expected) => {
    expect(found(query)).toEqual(expected);
  });

  it("keeps what is marked when more texts come", () => {
    const marked = { ...searchOf(pool.slice(0, 2), ""), selected: 1 };
    const more = withPool(marked, [{ text: "newer" }, ...pool]);
    expect(more.found[more.selected]?.text).toBe("fix the lexer");
    expect(withPool(searchOf([], "fix"), pool).selected).toBe(0);
  });

  it("takes no long text for a fit because it has all letters somewhere", () => {
    expect(searchOf([{ text: `f${"o".repeat(50)}x${"o".repeat(50)}y` }], "fxy").found).toEqual([]);
    expect(searchOf([{ text: "oooo f foxey" }], "fxy").found.length).toBe(1);
  });
});
