import { expect, it } from "vitest";
import { forkTitle } from "./fork-title.ts";

it.each([
  ["Parser", 0, "Parser (fork)"],
  ["Parser", 1, "Parser (fork 2)"],
  ["Parser (fork)", 0, "Parser (fork 2)"],
  ["Parser (fork 2)", 1, "Parser (fork 4)"],
  ["A (fork) in the road", 0, "A (fork) in the road (fork)"],
  [undefined, 0, "Session (fork)"],
  ["x".repeat(300), 2, `${"x".repeat(180)} (fork 3)`],
])("a fork of %j that has %i is called %j", (title, forks, expected) => {
  expect(forkTitle(title, forks)).toBe(expected);
});
