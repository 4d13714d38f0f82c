import { chmodSync, existsSync, mkdirSync, rmSync, statSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import type { ToolResult } from "@harness/core";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { createTrial, type Trial } from "../../test/trial.ts";
import { aliases } from "../aliases.ts";
import { createEdit } from "../edit.ts";
import { createRead } from "../read.ts";
import { FileWriter } from "../writing/file-writer.ts";

const read = createRead();
const edit = createEdit(new FileWriter());
let trial: Trial;
beforeEach(() => {
  trial = createTrial();
});
afterEach(() => trial.remove());

async function seen(files: Record<string, string | Uint8Array>): Promise<void> {
  for (const [name, content] of Object.entries(files)) {
    trial.file(name, content);
    await trial.run(read, { file_path: name });
  }
}

/** As a model calls it, by whatever name. */
function call(name: string, input: Record<string, unknown>): Promise<ToolResult> {
  const alias = aliases.find((each) => each.name === name && each.tool === "edit");
  return trial.run(edit, alias ? alias.convert(input) : input);
}

const text = (old_string: string, new_string: string, file_path?: string) => ({
  old_string,
  new_string,
  ...(file_path === undefined ? {} : { file_path }),
});

const patch = (...lines: string[]) => ({ input: ["*** Begin Patch", ...lines, "*** End Patch", ""].join("\n") });

describe("several edits in one call", () => {
  it("are made one after the other, in one file and in others", async () => {
    await seen({ a: "one two", b: "three" });
    const more = [text("1 two", "1 2"), text("three", "3", "b")];
    const result = await call("edit", { ...text("one", "1"), file_path: "a", edits: more });
    expect(result.text).toBe(
      "Edited a: 2 replacements at line 1, 1 (+1 -1).\nEdited b: 1 replacement at line 1 (+1 -1).",
    );
    expect(result.blocks).toMatchObject([{ path: join(trial.root, "a") }, { path: join(trial.root, "b") }]);
    expect([trial.text("a"), trial.text("b")]).toEqual(["1 2", "3"]);
    expect((await call("edit", { file_path: "a", edits: [text("1", "i"), text("2", "ii")] })).status).toBe("ok");
    expect(trial.text("a")).toBe("i ii");
  });

  it("have one effect for each file, and one preview with all diffs", async () => {
    await seen({ a: "one two", b: "three" });
    const args = edit.args.parse({
      file_path: "a",
      edits: [text("one", "1"), text("two", "2"), text("three", "3", "b")],
    });
    expect(edit.effects(args, trial.root)).toEqual([
      { kind: "write", path: join(trial.root, "a") },
      { kind: "write", path: join(trial.root, "b") },
    ]);
    expect(edit.title(args, trial.root)).toBe("edit a and 1 more file");
    const blocks = await edit.preview?.(args, trial.context, trial.approval);
    expect(blocks).toMatchObject([{ type: "diff" }, { type: "diff" }]);
    expect((await trial.run(edit, args)).blocks).toEqual(blocks);
  });

  it.each([
    ["one does not match", [text("two", "2"), text("no such", "x", "b")], /^old_string is not in b\. Nothing in/],
    [
      "the second of a file does not match",
      [text("one", "1"), text("on", "x")],
      /^Edit 2 of a: old_string is not in a/,
    ],
    ["one has no file", [text("one", "1", "c")], /^There is no c in /],
    ["one is of a file that was not read", [text("two", "2"), text("x", "y", "unread")], /you have not read it/],
    ["one has no new text", [text("one", "1"), { old_string: "x" }], /^Edit 2: new_string is missing/],
    [
      "one makes a file below a file",
      [{ patch: patch("*** Add File: b/c", "+x").input }],
      /b\/c: a part of the path is a/,
    ],
    ["one names a file by another name", [text("one", "1"), text("two", "2", "link")], /^link is changed twice/],
  ])("change nothing when %s", async (_what, edits, problem) => {
    await seen({ a: "one two", b: "three" });
    trial.file("unread", "x");
    symlinkSync("a", join(trial.root, "link"));
    const result = await call("edit", { file_path: "a", edits });
    expect(result).toMatchObject({ status: "error", text: expect.stringMatching(problem) });
    expect([trial.text("a"), trial.text("b")]).toEqual(["one two", "three"]);
  });

  it("need a file, an old and a new text where there are none", () => {
    for (const input of [{}, { file_path: "a", edits: [] }, { file_path: "a", old_string: "x" }]) {
      expect(edit.args.safeParse(input).success).toBe(false);
    }
  });
});

describe("lines by number", () => {
  it.each([
    ["replace_lines", { line_start: 2, line_end: 3, new_content: "x" }, "1\nx\n4\n"],
    ["replace_lines", { line_start: 4, line_end: 4, new_content: "x\ny\n" }, "1\n2\n3\nx\ny\n"],
    ["replace_lines", { line_start: 1, line_end: 2, new_content: "" }, "3\n4\n"],
    ["insert_lines", { line_start: 1, line_end: 1, new_content: "x\n" }, "x\n1\n2\n3\n4\n"],
    ["insert_lines", { line_start: 5, line_end: 5, new_content: "x" }, "1\n2\n3\n4\nx\n"],
    ["str_replace_editor", { command: "insert", insert_line: 2, new_str: "x" }, "1\n2\nx\n3\n4\n"],
  ])("are replaced and inserted: %s %j", async (name, input, after) => {
    await seen({ a: "1\n2\n3\n4\n" });
    expect((await call(name, { path: "a", ...input })).status).toBe("ok");
    expect(trial.text("a")).toBe(after);
  });

  it.each([
    ["CRLF", "\uFEFF1\r\n2\r\n", 2, "x\ny", "\uFEFF1\r\nx\r\ny\r\n"],
    ["no line end at the end", "1\n2", 2, "x\ny\n", "1\nx\ny"],
    ["mixed line ends", "1\n2\r\n3\n", 2, "x", "1\nx\r\n3\n"],
  ])("keep what the file has: %s", async (_what, before, line, content, after) => {
    await seen({ a: before });
    await call("replace_lines", { path: "a", line_start: line, line_end: line, new_content: content });
    expect(trial.text("a")).toBe(after);
  });

  it("are all those of the file as it was read", async () => {
    await seen({ a: "1\n2\n3\n4\n" });
    const edits = [
      { start_line: 1, end_line: 1, content: "one\nmore" },
      { start_line: 4, end_line: 4, content: "four" },
      { start_line: 3, end_line: 2, content: "between" },
    ];
    expect((await call("edit", { file_path: "a", edits })).text).toBe("Edited a: 3 changes at line 1, 3, 4 (+4 -2).");
    expect(trial.text("a")).toBe("one\nmore\n2\nbetween\n3\nfour\n");
  });

  it.each([
    [[{ start_line: 3, content: "x" }], /^a has 2 lines; line 3 is past its end/],
    [[{ start_line: 0, content: "x" }], /count from 1/],
    [[{ start_line: 3, end_line: 2, content: "" }], /nothing would be inserted/],
    [[{ start_line: 1 }], /^content is missing/],
    [
      [
        { start_line: 1, end_line: 2, content: "x" },
        { start_line: 2, content: "y" },
      ],
      /^Two edits of a are about line 2/,
    ],
    [[{ start_line: 1, content: "x" }, text("2", "y")], /name lines and texts/],
  ])("are refused where they do not fit: %j", async (edits, problem) => {
    await seen({ a: "1\n2\n" });
    expect((await call("edit", { file_path: "a", edits })).text).toMatch(problem);
    expect(trial.text("a")).toBe("1\n2\n");
  });
});

describe("a patch", () => {
  it("makes, changes, moves and deletes files, all in one call", async () => {
    await seen({ "src/a.py": "class A:\n  def f(self):\n    return 1\n", old: "gone\n", from: "x\ny\n" });
    chmodSync(join(trial.root, "from"), 0o755);
    const result = await call(
      "apply_patch",
      patch(
        "*** Add File: new/deep/b.txt",
        "+first",
        "+",
        "*** Update File: src/a.py",
        "@@ class A:",
        "   def f(self):",
        "-    return 1",
        "+    return 2",
        "*** Delete File: old",
        "*** Update File: from",
        "*** Move to: to/there",
        "@@",
        " x",
        "-y",
        "+z",
      ),
    );
    expect(result.text).toBe(
      [
        "Created new/deep/b.txt (+2).",
        "Edited src/a.py: 1 change at line 2 (+1 -1).",
        "Deleted old (-1).",
        "Moved from to to/there (+1 -1).",
      ].join("\n"),
    );
    expect(trial.text("new/deep/b.txt")).toBe("first\n\n");
    expect(trial.text("src/a.py")).toBe("class A:\n  def f(self):\n    return 2\n");
    expect(trial.text("to/there")).toBe("x\nz\n");
    expect(statSync(join(trial.root, "to/there")).mode & 0o777).toBe(0o755);
    expect(["old", "from"].filter((name) => existsSync(join(trial.root, name)))).toEqual([]);
    const changes = result.blocks.flatMap((block) => (block.type === "diff" ? [block.change] : []));
    expect(changes).toEqual(["create", "modify", "delete", "modify"]);
  });

  it.each([
    ["CRLF", "a\r\nb\r\nc\r\n", [" a", "-b", "+x", "+y"], "a\r\nx\r\ny\r\nc\r\n"],
    ["no line end at the end", "a\nb", [" a", " b", "+c"], "a\nb\nc"],
    ["lines that stay", "a\r\nb\nc\n", [" a", " b", "-c", "+x"], "a\r\nb\nx\n"],
    ["lines added at the end", "a\n", ["+b"], "a\nb\n"],
    ["an empty line of context without its blank", "a\n\nb\n", [" a", "", "-b", "+x"], "a\n\nx\n"],
    ["a header that makes it unique", "f:\n 1\ng:\n 1\n", ["@@ g:", "- 1", "+ 2"], "f:\n 1\ng:\n 2\n"],
    ["line numbers of another form", "a\nb\n", ["@@ -1,2 +1,2 @@", " a", "-b", "+x"], "a\nx\n"],
    ["the end of the file", "a\nb\na\n", ["@@", "-a", "+x", "*** End of File"], "a\nb\nx\n"],
    ["several hunks", "1\n2\n3\n4\n5\n", [" 1", "-2", "@@", "-5", "+five", "+six"], "1\n3\n4\nfive\nsix\n"],
    ["a byte order mark", "\uFEFFa\n", ["-a", "+b"], "\uFEFFb\n"],
  ])("is applied to the letter: %s", async (_what, before, lines, after) => {
    await seen({ f: before });
    expect((await call("apply_patch", patch("*** Update File: f", ...lines))).status).toBe("ok");
    expect(trial.text("f")).toBe(after);
  });

  it.each([
    ["indented otherwise", [" \tf()", "-g", "+h"], /At line 1 the file differs from the patch only in tabs where/],
    ["that fits in several places", ["-same", "+other"], /fits at lines 3, 4: add lines around it, or a header/],
    ["with an unknown header", ["@@ class X", "-g", "+h"], /has the header `class X`, which is not in the file/],
    ["that changes nothing", [], /changes nothing in f/],
    ["with an odd line", ["?"], /not readable at `\?`: expected a blank, `\+`, `-` or `@@`/],
  ])("changes nothing %s", async (_what, lines, problem) => {
    await seen({ f: "    f()\ng\nsame\nsame\n", other: "1\n" });
    const result = await call(
      "apply_patch",
      patch("*** Update File: other", "-1", "+2", "*** Update File: f", ...lines),
    );
    expect(result.text).toMatch(problem);
    expect([trial.text("f"), trial.text("other")]).toEqual(["    f()\ng\nsame\nsame\n", "1\n"]);
  });

  it.each([
    ["makes a file that is there", ["*** Add File: a", "+x"], /^a exists already/],
    ["deletes a file that was not read", ["*** Delete File: unread"], /you have not read it/],
    [
      "moves a file onto another",
      ["*** Update File: a", "*** Move to: unread"],
      /cannot be moved to unread, which exists/,
    ],
    ["deletes a folder", ["*** Delete File: sub"], /^sub is a folder/],
    ["makes and changes a file", ["*** Delete File: a", "*** Add File: a", "+x"], /do only one of them/],
  ])("is refused when it %s", async (_what, lines, problem) => {
    await seen({ a: "1\n" });
    trial.file("unread", "x");
    mkdirSync(join(trial.root, "sub"));
    expect((await call("apply_patch", patch(...lines))).text).toMatch(problem);
    expect([trial.text("a"), trial.text("unread")]).toEqual(["1\n", "x"]);
    rmSync(join(trial.root, "sub"), { recursive: true });
  });

  it.each([
    ["no patch at all", /^The patch has no line `\*\*\* Begin Patch`/],
    ["*** Begin Patch\n*** Add File: a\n+x", /may have been cut/],
    ["*** Begin Patch\n*** End Patch", /names no file/],
    ["*** Begin Patch\nwhat\n*** End Patch", /not readable at `what`/],
    ["*** Begin Patch\n*** Add File: a\nx\n*** End Patch", /expected `\+` before every line/],
  ])("is refused when it cannot be read: %j", async (input, problem) => {
    expect(await call("apply_patch", { input })).toMatchObject({
      status: "error",
      text: expect.stringMatching(problem),
    });
  });

  it("is found in a here-document", async () => {
    await seen({ a: "1\n" });
    const input = `apply_patch <<'EOF'\n${patch("*** Update File: a", "-1", "+2").input}EOF`;
    expect((await call("apply_patch", { input })).status).toBe("ok");
    expect(trial.text("a")).toBe("2\n");
  });
});
