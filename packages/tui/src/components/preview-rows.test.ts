import { describe, expect, it } from "vitest";
import { textOfRow } from "../text/index.ts";
import { effectRow, previewRows } from "./preview-rows.ts";

const texts = (...args: Parameters<typeof previewRows>) => previewRows(...args).map(textOfRow);

describe("what a permission shows", () => {
  it("hides nothing of a command: not its controls, not its hidden characters, not its end", () => {
    const command = "echo ok\u001b[8m; rm -rf ~\u001b[0m\necho \u202edone";
    const rows = texts([{ type: "terminal", command, output: "", exitCode: null, durationMs: 0 }], 60);
    expect(rows).toEqual(["echo ok␛[8m; rm -rf ~␛[0m", "echo ⟨U+202E⟩done"]);
  });

  it("wraps what is long instead of cutting it", () => {
    const rows = texts([{ type: "terminal", command: "x".repeat(25), output: "", exitCode: null, durationMs: 0 }], 10);
    expect(rows.join("")).toBe("x".repeat(25));
  });

  it("shows a diff with its signs and indents", () => {
    const hunks = "@@ -1,2 +1,2 @@\n a\n-    b\n+    c\n";
    const rows = previewRows([{ type: "diff", path: "/w/a.ts", change: "modify", hunks, added: 1, removed: 1 }], 60);
    expect(rows.map(textOfRow)).toEqual(["modify /w/a.ts  +1 −1", "@@ -1,2 +1,2 @@", " a", "-    b", "+    c"]);
    expect(rows[4]?.spans[0]?.style.fg).toBe("added");
  });

  it.each([
    [{ kind: "read", path: "/w/a" }, "reads /w/a"],
    [{ kind: "write", path: "/w/a\u200b" }, "writes /w/a⟨U+200B⟩"],
    [{ kind: "run", command: "ls", cwd: "/w" }, "runs a command in /w"],
    [{ kind: "reach", url: "http://x" }, "reaches http://x"],
    [{ kind: "spend", what: "$1" }, "spends $1"],
  ] as const)("says what %j means", (effect, text) => {
    expect(textOfRow(effectRow(effect))).toBe(text);
  });
});
