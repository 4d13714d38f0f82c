import { describe, expect, it } from "vitest";
import { pathMentions } from "./path-mentions.ts";

describe("pathMentions", () => {
  it.each<[string, string[][]]>([
    ["explain @src/a.ts", [["src/a.ts"]]],
    ["@a.ts and @b.ts", [["a.ts"], ["b.ts"]]],
    ["is it @src/a.ts?", [["src/a.ts?", "src/a.ts"]]],
    ["(see @a.ts).", [["a.ts).", "a.ts)", "a.ts"]]],
    ['in @"my notes.md", please', [["my notes.md"]]],
    ["@../up @/abs @~x", [["../up"], ["/abs"], ["~x"]]],
    ["@a.ts @a.ts", [["a.ts"]]],
    ["@größe/日本.md", [["größe/日本.md"]]],
    ["write to me@example.org", []],
    ["@ alone, and @@ too", []],
    ["", []],
  ])("%j", (words, mentions) => {
    expect(pathMentions(words)).toEqual(mentions);
  });
});
