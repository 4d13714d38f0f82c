import { describe, expect, it } from "vitest";
import { pathMentions } from "./path-mentions.ts";

const waysOf = (words: string) =>
  pathMentions(words).map(({ ways }) =>
    ways.map(({ path, lines }) => (lines ? `${path} ${lines.first} to ${lines.last}` : path)),
  );

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
    ["@a.ts#10-40", [["a.ts#10-40", "a.ts 10 to 40"]]],
    ['@"my notes.md"#3-4.', [["my notes.md#3-4", "my notes.md 3 to 4"]]],
    ["@a.ts#7.", [["a.ts#7.", "a.ts#7", "a.ts 7 to 7"]]],
    ["@a.ts#9-3 and @a.ts#0", [["a.ts#9-3"], ["a.ts#0"]]],
    ["write to me@example.org", []],
    ["@ alone, and @@ too", []],
    ["", []],
  ])("%j", (words, mentions) => {
    expect(waysOf(words)).toEqual(mentions);
  });

  it.each([
    ["@types/node", false],
    ["@someone", false],
    ["@src/a.ts", false],
    ["@./a.ts", true],
    ["@../a.ts", true],
    ["@/etc/x", true],
    ["@~/x", true],
    ['@"a"', true],
    ["@a.ts#3-4", true],
  ])("%s can only be meant as a path: %s", (words, isMeant) => {
    expect(pathMentions(words)[0]?.isMeant).toBe(isMeant);
  });
});
