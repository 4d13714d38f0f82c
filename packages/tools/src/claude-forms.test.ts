import { describe, expect, it } from "vitest";
import { claudeCalls, claudeResponse } from "./claude-forms.ts";

const shown = (tool: string, input: Record<string, unknown>) =>
  claudeCalls(tool, input, "/work").map(({ name, input: given }) => [name, given]);

describe("a call as hooks of Claude Code know it", () => {
  it.each<[string, Record<string, unknown>, [string, object][]]>([
    [
      "bash",
      { command: "ls", timeout_ms: 5_000, background: true },
      [["Bash", { command: "ls", timeout: 5_000, run_in_background: true }]],
    ],
    ["read", { file_path: "a.ts", limit: 5 }, [["Read", { file_path: "/work/a.ts", limit: 5 }]]],
    ["write", { file_path: "/x/a", content: "c" }, [["Write", { file_path: "/x/a", content: "c" }]]],
    [
      "edit",
      { file_path: "a", old_string: "b", new_string: "c" },
      [["Edit", { file_path: "/work/a", old_string: "b", new_string: "c", replace_all: false }]],
    ],
    [
      "grep",
      { pattern: "x", path: "src", limit: 3 },
      [["Grep", { pattern: "x", path: "/work/src", output_mode: "content", head_limit: 3 }]],
    ],
    [
      "todo",
      { todos: [{ text: "one" }] },
      [["TodoWrite", { todos: [{ content: "one", status: "pending", activeForm: "one" }] }]],
    ],
    [
      "agent",
      { task: "Look\nthere", agent: "reviewer" },
      [["Task", { description: "Look", prompt: "Look\nthere", subagent_type: "reviewer" }]],
    ],
    ["mcp__files__write", { path: "a" }, [["mcp__files__write", { path: "a" }]]],
    ["edit", { wrong: true }, [["edit", { wrong: true }]]],
  ])("a call of %s with %j has their name and their arguments", (tool, input, wanted) => {
    expect(shown(tool, input)).toEqual(wanted);
  });

  it("a call that changes several files is a call for each, so that none passes unseen", () => {
    const text = { old_string: "1", new_string: "2" };
    const calls = claudeCalls(
      "edit",
      {
        edits: [
          { file_path: "a", ...text },
          { file_path: "b", ...text },
          { file_path: "a", old_string: "3", new_string: "4" },
        ],
      },
      "/work",
    );
    expect(calls.map(({ name, matched, input }) => [name, matched, input.file_path])).toEqual([
      ["Edit", ["Edit", "MultiEdit", "edit"], "/work/a"],
      ["Edit", ["Edit", "edit"], "/work/b"],
    ]);
    expect(calls[0]?.input.edits).toHaveLength(2);
    const patch =
      "*** Begin Patch\n*** Add File: new\n+x\n*** Update File: old\n*** Move to: moved\n@@\n-a\n+b\n*** End Patch";
    expect(shown("edit", { edits: [{ patch }] }).map(([name, input]) => [name, Object(input).file_path])).toEqual([
      ["Write", "/work/new"],
      ["Edit", "/work/old"],
      ["Write", "/work/moved"],
    ]);
  });

  it("a result has the fields of their tool", () => {
    const [bash] = claudeCalls("bash", { command: "ls" }, "/work");
    const [write] = claudeCalls("write", { file_path: "a", content: "" }, "/work");
    expect(bash && claudeResponse(bash, { text: "out", isError: false })).toMatchObject({
      stdout: "out",
      stderr: "",
      interrupted: false,
    });
    expect(write && claudeResponse(write, { text: "done", isError: true })).toMatchObject({
      filePath: "/work/a",
      success: false,
    });
  });
});
