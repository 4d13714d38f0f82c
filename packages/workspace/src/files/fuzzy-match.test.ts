import { describe, expect, it } from "vitest";
import { fuzzyMatch } from "./fuzzy-match.ts";

function best(query: string, paths: string[]): string[] {
  return paths
    .map((path) => ({ path, score: fuzzyMatch(path, query) }))
    .filter((each): each is { path: string; score: number } => each.score !== undefined)
    .sort((a, b) => b.score - a.score)
    .map(({ path }) => path);
}

describe("fuzzyMatch", () => {
  it.each([
    ["file name before folder name", "main", ["main/other.ts", "src/main.ts"], ["src/main.ts", "main/other.ts"]],
    ["together before scattered", "abc", ["a/b/c.ts", "src/abc.ts"], ["src/abc.ts", "a/b/c.ts"]],
    ["shorter first", "x.ts", ["a/b/c/x.ts", "x.ts"], ["x.ts", "a/b/c/x.ts"]],
    ["case does not count", "READ", ["docs/readme.md"], ["docs/readme.md"]],
    ["letters must be there in order", "ba", ["ab"], []],
    ["a folder matches by its own name", "core", ["packages/core/", "score/a.ts"], ["packages/core/", "score/a.ts"]],
  ])("%s", (_name, query, paths, expected) => {
    expect(best(query, paths)).toEqual(expected);
  });

  it("returns everything for an empty query, shortest first", () => {
    expect(best("", ["long/path.ts", "a.ts"])).toEqual(["a.ts", "long/path.ts"]);
  });
});
