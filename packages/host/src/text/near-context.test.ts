import { describe, expect, it } from "vitest";
import { lineDiff } from "./line-diff.ts";
import { nearContext } from "./near-context.ts";

const lines = (count: number, changes: Record<number, string> = {}): string =>
  `${Array.from({ length: count }, (_, n) => changes[n + 1] ?? `l${n + 1}`).join("\n")}\n`;

describe("the context near to changes", () => {
  it.each<[string, string, string]>([
    ["one change", lines(40), lines(40, { 20: "x" })],
    ["two that are close", lines(40), lines(40, { 20: "x", 25: "y\nz" })],
    ["two that are far apart", lines(90), lines(90, { 20: "x", 60: "" })],
    ["the first line and the last", lines(40), lines(40, { 1: "x", 40: "y" })],
    ["lines that go", lines(40), lines(40).replace("l7\nl8\n", "")],
  ])("%s: is what a diff with three lines of context has", async (_, before, after) => {
    const wide = await lineDiff("/a", before, after, { context: 12 });
    const near = await lineDiff("/a", before, after);
    expect(nearContext(wide.hunks)).toBe(near.hunks);
    expect(wide.hunks.length).toBeGreaterThan(near.hunks.length);
  });

  it("leaves new files, empty diffs and remarks as they are", async () => {
    const made = await lineDiff("/a", undefined, lines(3));
    expect(nearContext(made.hunks).split("\n").slice(1)).toEqual(["+l1", "+l2", "+l3"]);
    expect(nearContext("")).toBe("");
    expect(nearContext("@@ -1,1 +1,1 @@\n-a\n+b\n@@ 4 more lines are not shown @@")).toContain("@@ 4 more lines");
  });
});
