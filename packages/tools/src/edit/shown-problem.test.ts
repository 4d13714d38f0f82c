import { expect, it } from "vitest";
import { shownProblem } from "./shown-problem.ts";

it.each([
  [
    'old_string is not in src/a.ts. The closest place is line 4; the first line that differs is 5.\nold_string has: "x"',
    "The text to replace is not in src/a.ts.",
  ],
  [
    "old_string and new_string are the same: nothing would change.",
    "The text to replace and the new text are the same.",
  ],
  [
    "Line 4 of a.ts would change, but you have only read lines 1-3: read it first.",
    "Line 4 of a.ts would change, but you have only read lines 1-3.",
  ],
  ["src/a.ts does not exist", "Src/a.ts does not exist."],
])("people are shown %j as %j", (problem, shown) => {
  expect(shownProblem(problem)).toBe(shown);
});
