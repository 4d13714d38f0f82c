import { describe, expect, it } from "vitest";
import { aliases } from "./aliases.ts";
import { builtinTools } from "./builtin-tools.ts";

function converted(name: string, input: Record<string, unknown>): unknown {
  const alias = aliases.find((each) => each.name === name);
  return alias && [alias.toolFor?.(input) ?? alias.tool, alias.convert(input)];
}

describe("tool aliases", () => {
  it.each([
    ["read", { path: "a" }, "read", { file_path: "a" }],
    ["read", { filePath: "a", offset: 3 }, "read", { file_path: "a", offset: 3 }],
    ["read", { path: "a", from: 0, to: 10 }, "read", { file_path: "a", offset: 1, limit: 10 }],
    ["read", { path: "a", from: "4" }, "read", { file_path: "a", offset: 5 }],
    ["read_file", { path: "a", start_line: 5, end_line: 7 }, "read", { file_path: "a", offset: 5, limit: 3 }],
    ["read_file", { path: "a", end_line: 7 }, "read", { file_path: "a", limit: 7 }],
    ["read_lines", { path: "a", start_line: "2", end_line: "2" }, "read", { file_path: "a", offset: "2", limit: 1 }],
    ["view", { path: "a", view_range: [11, 20] }, "read", { file_path: "a", offset: 11, limit: 10 }],
    ["view", { path: "a", view_range: [11, -1] }, "read", { file_path: "a", offset: 11 }],
    ["cat", { file: "a" }, "read", { file_path: "a" }],
    ["write_file", { path: "a", content: "x" }, "write", { file_path: "a", content: "x" }],
    ["create_file", { path: "a", file_text: "x" }, "write", { file_path: "a", content: "x" }],
    [
      "str_replace",
      { path: "a", old_str: "x", new_str: "" },
      "edit",
      { file_path: "a", old_string: "x", new_string: "" },
    ],
    ["edit", { file: "a", oldText: "x", newText: "y" }, "edit", { file_path: "a", old_string: "x", new_string: "y" }],
    [
      "edit",
      { path: "a", edits: [{ oldText: "x", newText: "y" }] },
      "edit",
      { file_path: "a", old_string: "x", new_string: "y" },
    ],
    ["edit", { path: "a", edits: [{}, {}] }, "edit", { file_path: "a", edits: [{}, {}] }],
    [
      "multi_edit",
      { path: "a", edits: '[{"old_str":"x","new_str":"y"},{"path":"b","search":"v","replace":"w"}]' },
      "edit",
      {
        file_path: "a",
        edits: [
          { old_string: "x", new_string: "y" },
          { file_path: "b", old_string: "v", new_string: "w" },
        ],
      },
    ],
    [
      "replace_lines",
      { path: "a", line_start: 3, line_end: 5, new_content: "x" },
      "edit",
      { edits: [{ file_path: "a", start_line: 3, end_line: 5, content: "x" }] },
    ],
    [
      "insert_lines",
      { path: "a", line_start: 3, line_end: 3, new_content: "x\n" },
      "edit",
      { edits: [{ file_path: "a", start_line: 3, end_line: 2, content: "x\n" }] },
    ],
    [
      "str_replace_based_edit_tool",
      { command: "insert", path: "a", insert_line: 0, insert_text: "x\n" },
      "edit",
      { edits: [{ file_path: "a", start_line: 1, end_line: 0, content: "x\n" }] },
    ],
    ["apply_patch", { input: "*** Begin Patch" }, "edit", { edits: [{ patch: "*** Begin Patch" }] }],
    [
      "str_replace_editor",
      { command: "str_replace", path: "a", old_str: "x", new_str: "y" },
      "edit",
      { file_path: "a", old_string: "x", new_string: "y" },
    ],
    ["str_replace_editor", { command: "view", path: "a" }, "read", { file_path: "a" }],
    [
      "str_replace_based_edit_tool",
      { command: "view", path: "a", view_range: [3, -1] },
      "read",
      { file_path: "a", offset: 3 },
    ],
    ["str_replace_editor", { command: "create", path: "a", file_text: "x" }, "write", { file_path: "a", content: "x" }],
    ["str_replace_editor", { command: "undo_edit", path: "a" }, "edit", { command: "undo_edit", file_path: "a" }],
    [
      "str_replace_editor",
      { path: "a", old_str: "x", new_str: "y" },
      "edit",
      { file_path: "a", old_string: "x", new_string: "y" },
    ],
    ["bash", { cmd: "ls", timeout: 30 }, "bash", { command: "ls", timeout_ms: 30_000 }],
    ["bash", { command: "ls", timeout: 30_000 }, "bash", { command: "ls", timeout_ms: 30_000 }],
    ["bash", { command: "ls", timeout: "soon" }, "bash", { command: "ls", timeout: "soon" }],
    ["run", { command: "ls", timeout: 500 }, "bash", { command: "ls", timeout_ms: 500 }],
    ["run", { command: "ls", timeout: 9e9 }, "bash", { command: "ls", timeout_ms: 600_000 }],
    ["run", { command: "ls", cwd: "a b" }, "bash", { command: "cd 'a b' || exit\nls" }],
    ["run", { command: "ls", cwd: "." }, "bash", { command: "ls" }],
    ["shell", { command: ["bash", "-lc", "a && b"] }, "bash", { command: "a && b" }],
    ["shell", { command: ["git", "commit", "-m", "it's"] }, "bash", { command: "git commit -m 'it'\\''s'" }],
    [
      "shell",
      { command: ["ls"], workdir: "/x", timeout_seconds: 2 },
      "bash",
      { command: "cd /x || exit\nls", timeout_ms: 2000 },
    ],
    ["bash", { command: "ls", dangerouslyDisableSandbox: false }, "bash", { command: "ls" }],
    ["bash", { command: "ls", dangerouslyDisableSandbox: "false", restart: false }, "bash", { command: "ls" }],
    ["bash", { command: "ls", dangerouslyDisableSandbox: true }, "bash", { command: "ls", outside_sandbox: true }],
    ["shell", { command: "ls", with_escalated_permissions: true }, "bash", { command: "ls", outside_sandbox: true }],
    ["shell", { command: "ls", sandbox_permissions: "use_default", login: true }, "bash", { command: "ls" }],
    [
      "exec_command",
      { cmd: "ls", sandbox_permissions: "require_escalated", tty: false, max_output_tokens: 9 },
      "bash",
      { command: "ls", outside_sandbox: true },
    ],
    ["execute_command", { command: "ls", requires_approval: false }, "bash", { command: "ls" }],
    ["shell", { command: "ls", tty: true }, "bash", { command: "ls", tty: true }],
    ["execute_command", { command: "ls" }, "bash", { command: "ls" }],
    ["bash", { command: "npm start", run_in_background: true }, "bash", { command: "npm start", background: true }],
    ["exec_command", { cmd: "ls" }, "bash", { command: "ls" }],
    ["exec_command", { cmd: "ls", yield_time_ms: 500 }, "bash", { command: "ls", background: true, timeout_ms: 500 }],
    ["write_stdin", { session_id: 1, chars: "y\n" }, "process", { action: "send", id: "p1", input: "y\n" }],
    [
      "write_stdin",
      { session_id: 1, chars: "", yield_time_ms: 900 },
      "process",
      { action: "output", id: "p1", wait_ms: 900 },
    ],
    ["bash_output", { bash_id: "p1", filter: "err" }, "process", { action: "output", id: "p1" }],
    [
      "task_output",
      { task_id: "p1", block: true, timeout: 900 },
      "process",
      { action: "output", id: "p1", wait_ms: 900 },
    ],
    ["kill_shell", { shell_id: "p1" }, "process", { action: "stop", id: "p1" }],
    ["list_processes", {}, "process", { action: "list" }],
    ["process", { action: "stop", process_id: "p1" }, "process", { action: "stop", id: "p1" }],
    ["fetch", { uri: "https://a.b", prompt: "sum up" }, "web_fetch", { url: "https://a.b" }],
    ["google_web_search", { q: "x", count: 3 }, "web_search", { query: "x", max_results: 3 }],
    ["list_dir", { path: "a", show_hidden: false }, "ls", { path: "a", hidden: false, depth: 2 }],
    ["ls", { max_entries: 5 }, "ls", { max_entries: 5 }],
    ["ls", { path: "a", sort_by: "size", reverse: true }, "ls", { path: "a", sort: "size", reverse: true }],
    ["get_file_tree", {}, "ls", { depth: 2 }],
    ["find_files", { pattern: "*.ts", max_results: 5 }, "glob", { pattern: "*.ts" }],
    ["grep", { pattern: "x", include: "test" }, "grep", { pattern: "x", glob: "*test*" }],
    ["grep", { pattern: "x", include: "*.ts", max_results: 5 }, "grep", { pattern: "x", glob: "*.ts", limit: 5 }],
    ["grep", { pattern: "x", glob: "test" }, "grep", { pattern: "x", glob: "test" }],
    ["grep_search", { pattern: "a.*(b", file_filter: "*.zig" }, "grep", { pattern: "a\\..*\\(b", glob: "*.zig" }],
    ["grep_search", { query: "a.*b" }, "grep", { pattern: "a.*b" }],
    [
      "search_files",
      { path: "src", regex: "x", file_pattern: "*.ts" },
      "grep",
      { path: "src", pattern: "x", glob: "*.ts" },
    ],
  ])("turn %s %j into %s %j", (name, input, tool, output) => {
    expect(converted(name, input)).toEqual([tool, output]);
  });

  it("prefer a canonical argument name over an alias with the same value", () => {
    expect(converted("read", { file_path: "a", path: "a" })).toEqual(["read", { file_path: "a" }]);
    expect(converted("bash", { command: "a", timeout_ms: 1, timeout: 9 })).toEqual([
      "bash",
      { command: "a", timeout_ms: 1 },
    ]);
  });

  it.each<[string, Record<string, unknown>]>([
    ["write", { file_path: "a", path: "b", content: "x" }],
    ["write_file", { path: "a", filename: "b", content: "x" }],
    ["bash", { command: "ls", cmd: "rm x" }],
    ["run", { command: "ls", cwd: "a", workdir: "b" }],
    ["edit", { path: "a", file: "b", old_string: "x", new_string: "y" }],
  ])("leave what two spellings of %s say differently, so that the call is refused: %j", (name, input) => {
    const alias = aliases.find((each) => each.name === name);
    const { tools } = builtinTools({ toolTimeoutMs: 1_000, extraEnv: {} });
    const tool = tools.find((each) => each.name === alias?.tool);
    expect(tool?.args.safeParse(alias?.convert(input)).success).toBe(false);
  });
});
