import { describe, expect, it } from "vitest";
import type { Finding } from "./finding.ts";
import { newFindings } from "./new-findings.ts";

const finding = (message: string, line: number, lineText = `text of ${message}`): Finding => ({
  path: "/w/a.ts",
  line,
  column: 1,
  severity: "error",
  message,
  code: "ts 1",
  lineText,
});

describe("what is new after an edit", () => {
  const rows: [name: string, before: Finding[], now: Finding[], fresh: number[]][] = [
    ["nothing was there", [], [finding("a", 3)], [3]],
    ["it was there", [finding("a", 3)], [finding("a", 3)], []],
    ["it has moved with its line", [finding("a", 3)], [finding("a", 30)], []],
    ["its line was edited, and it is still wrong", [finding("a", 3, "x")], [finding("a", 3, "y")], []],
    ["there is one more of it elsewhere", [finding("a", 3, "x")], [finding("a", 3, "x"), finding("a", 9, "y")], [9]],
    [
      "the old one is the one that is not new",
      [finding("a", 3, "x")],
      [finding("a", 1, "y"), finding("a", 4, "x")],
      [1],
    ],
    ["another message", [finding("a", 3)], [finding("b", 3)], [3]],
    ["it is gone", [finding("a", 3)], [], []],
  ];
  it.each(rows)("%s", (_, before, now, fresh) => {
    expect(newFindings(before, now).map(({ line }) => line)).toEqual(fresh);
  });
});
