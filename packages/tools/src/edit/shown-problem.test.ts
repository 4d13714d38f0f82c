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
  ["src/a.ts does not exist", "src/a.ts does not exist."],
  ["old_string.ts has changed on disk: read it again.", "old_string.ts has changed on disk."],
  [
    "old_string occurs 2 times in old_string (lines 1, 2). Add lines.",
    "The text to replace occurs 2 times in old_string (lines 1, 2).",
  ],
  [
    "old_string is not UTF-8 text, so it cannot be edited: convert it.",
    "old_string is not UTF-8 text, so it cannot be edited.",
  ],
  ["content is missing: give the new lines, or an empty text.", "The new text is missing."],
  ["Edit 2: file_path is missing: name the file.", "Edit 2: The path is missing."],
])("people are shown %j as %j", (problem, shown) => {
  expect(shownProblem(problem)).toBe(shown);
});
