import { describe, expect, it } from "vitest";
import { lineDiff } from "./line-diff.ts";

describe("a line diff", () => {
  it("shows all lines of a new file", async () => {
    expect(await lineDiff("/x", undefined, "a\nb\n")).toEqual({
      type: "diff",
      path: "/x",
      change: "create",
      hunks: "@@ -0,0 +1,2 @@\n+a\n+b",
      added: 2,
      removed: 0,
    });
    expect(await lineDiff("/x", undefined, "")).toMatchObject({ hunks: "", added: 0 });
  });

  it("shows three lines around a change, and no marker for a missing last line end", async () => {
    const before = Array.from({ length: 20 }, (_, i) => `l${i + 1}`).join("\n");
    const diff = await lineDiff("/x", before, before.replace("l10", "new").replace("l20", "end"));
    expect(diff.hunks).toBe(
      "@@ -7,7 +7,7 @@\n l7\n l8\n l9\n-l10\n+new\n l11\n l12\n l13\n@@ -17,4 +17,4 @@\n l17\n l18\n l19\n-l20\n+end",
    );
    expect(diff).toMatchObject({ change: "modify", added: 2, removed: 2 });
  });

  it("omits CRs", async () => {
    expect((await lineDiff("/x", "a\r\nb\r\n", "a\r\nc\r\n")).hunks).toBe("@@ -1,2 +1,2 @@\n a\n-b\n+c");
  });

  it("is fast and correct for very different texts", async () => {
    const before = Array.from({ length: 20_000 }, (_, i) => `old ${i}`).join("\n");
    const after = Array.from({ length: 20_000 }, (_, i) => `new ${i}`).join("\n");
    const diff = await lineDiff("/x", `same\n${before}\nend\n`, `same\n${after}\nend\n`);
    expect(diff).toMatchObject({ added: 20_000, removed: 20_000 });
    expect(diff.hunks).toMatch(/^@@ -1,20002 \+1,20002 @@\n same\n-old 0\n/);
    expect(diff.hunks).toMatch(/\n@@ \d+ more lines are not shown @@$/);
    expect(diff.hunks.split("\n").length).toBeLessThan(2010);
  });

  it("shows all lines on one side for a file that was emptied or filled", async () => {
    expect(await lineDiff("/x", "a\nb\n", "")).toMatchObject({ hunks: "@@ -1,2 +0,0 @@\n-a\n-b", removed: 2 });
    expect(await lineDiff("/x", "", "a\n")).toMatchObject({ change: "modify", hunks: "@@ -0,0 +1,1 @@\n+a" });
  });
});
