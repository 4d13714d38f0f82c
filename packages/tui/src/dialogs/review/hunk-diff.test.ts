import { describe, expect, it } from "vitest";
import { placedDiff } from "./hunk-diff.ts";

describe("a change as a diff", () => {
  it.each([
    ["lines", "a\nb\n", "c\n", ["@@ -7,2 +7,1 @@", "-a", "-b", "+c"]],
    [
      "lines with one between them that stays",
      "a\nb\nc\n",
      "A\nb\nC\n",
      ["@@ -7,3 +7,3 @@", "-a", "+A", " b", "-c", "+C"],
    ],
    ["a whole new file", "", "a\n\n", ["@@ -7,0 +7,2 @@", "+a", "+"]],
    ["a whole file that goes", "a", "", ["@@ -7,1 +7,0 @@", "-a"]],
    ["carriage returns on both sides are left out", "a\r\n", "b\r\n", ["@@ -7,1 +7,1 @@", "-a", "+b"]],
    ["those that go are shown", "a\r\n", "a\n", ["@@ -7,1 +7,1 @@", "-a\r", "+a"]],
    ["so is one that comes", "a", "a\n", ["@@ -7,1 +7,1 @@", "-a", "\\ No newline at end of file", "+a"]],
    ["so is a last newline that goes", "a\n", "a", ["@@ -7,1 +7,1 @@", "-a", "+a", "\\ No newline at end of file"]],
    ["none on both sides is left out", "a", "b", ["@@ -7,1 +7,1 @@", "-a", "+b"]],
  ])("of %s", (_name, before, after, lines) => {
    expect(placedDiff({ before, line: 7 }, after).split("\n")).toEqual(lines);
  });
});

it("has the unchanged lines around it, with their numbers", () => {
  const hunk = { line: 3, before: "c\n", above: "a\nb\n", below: "d\n" };
  expect(placedDiff(hunk, "C\n").split("\n")).toEqual(["@@ -1,1 +1,1 @@", " a", " b", "-c", "+C", " d"]);
});
