import { type Input, isInput, listIn, renamed, type ToolAlias, without } from "@harness/core";
import { shellWord } from "@harness/host";
import { commandForms } from "./git/command-forms.ts";

type Convert = ToolAlias["convert"];

const MAX_TIMEOUT_MS = 600_000;

/** Other names of our arguments. */
const filePath = "path file filename filePath filepath file_name absolute_path target_file".split(" ");
const folderPath = "directory dir folder file_path dir_path directory_path relative_workspace_path".split(" ");
const keys = {
  bash: {
    command: ["cmd", "command_line", "script"],
    timeout_ms: ["timeoutMs", "yield_time_ms"],
    background: ["run_in_background", "is_background", "isBackground", "async"],
    outside_sandbox: ["dangerouslyDisableSandbox", "dangerously_disable_sandbox", "with_escalated_permissions"],
  },
  process: {
    id: ["bash_id", "shell_id", "task_id", "session_id", "process_id"],
    input: ["chars", "data", "text"],
    wait_ms: ["yield_time_ms", "timeout", "timeout_ms"],
  },
  read: { file_path: filePath, offset: ["start_line", "startLine"], limit: ["max_lines"] },
  write: { file_path: filePath, content: ["contents", "text", "file_text", "data"] },
  edit: {
    file_path: filePath,
    old_string: ["old_str", "oldString", "old_text", "oldText", "oldStr", "search"],
    new_string: ["new_str", "newString", "new_text", "newText", "newStr", "replace"],
    replace_all: ["replaceAll", "all"],
  },
  glob: { pattern: ["glob_pattern", "globPattern", "query", "glob"], path: folderPath },
  grep: {
    pattern: ["query", "regex", "search"],
    path: [...folderPath, "paths"],
    glob: ["include", "include_pattern", "file_pattern", "file_filter", "filePattern"],
    limit: ["max_results", "maxResults", "head_limit"],
  },
  ls: {
    path: folderPath,
    depth: ["max_depth", "maxDepth"],
    hidden: ["show_hidden", "showHidden", "all"],
    sort: ["sort_by", "sortBy"],
    max_entries: ["maxEntries", "limit"],
  },
  web_fetch: { url: ["uri", "link", "address"] },
  web_search: {
    query: ["q", "search_query", "search_term"],
    max_results: ["maxResults", "count", "num_results", "limit"],
  },
} as const satisfies Record<string, Record<string, readonly string[]>>;

const { edit: editKeys } = keys;
const lineKeys = {
  file_path: filePath,
  start_line: ["line_start", "startLine", "line"],
  end_line: ["line_end", "endLine"],
  content: ["new_content", "newContent", "new_string", "new_str", "text"],
};

function numeric(value: unknown): number | undefined {
  const number = typeof value === "string" && value.trim() !== "" ? Number(value) : value;
  return typeof number === "number" && Number.isFinite(number) ? number : undefined;
}

/** `timeout` is in seconds for some programs and in milliseconds for others; above 600 it cannot be seconds. */
function bash(unit: "s" | "ms"): Convert {
  return (input) => {
    const { timeout, timeout_seconds, ...rest } = renamed(input, keys.bash);
    const output = oneCommand(usualLeftOut(rest));
    const value = numeric(timeout_seconds ?? timeout);
    if (value !== undefined && rest.timeout_ms === undefined) {
      const seconds = timeout_seconds !== undefined || (unit === "s" && value <= MAX_TIMEOUT_MS / 1000);
      const timeoutMs = Math.round(seconds ? value * 1000 : value);
      return { ...output, timeout_ms: Math.min(Math.max(1, timeoutMs), MAX_TIMEOUT_MS) };
    }
    return timeout === undefined || value !== undefined ? output : { ...output, timeout };
  };
}

/** The usual in the words of other programs; a wish to run outside the sandbox is our own, which the person is asked about. */
const usual: Readonly<Record<string, (value: unknown) => boolean>> = {
  outside_sandbox: isNo,
  sandbox_permissions: (value) => value === "use_default",
  restart: isNo,
  tty: isNo,
  login: isYesOrNo,
  requires_approval: isYesOrNo,
  require_user_approval: isYesOrNo,
  max_output_tokens: (value) => numeric(value) !== undefined,
};

function isNo(value: unknown): boolean {
  return value === false || value === "false";
}

function isYesOrNo(value: unknown): boolean {
  return isNo(value) || value === true || value === "true";
}

function usualLeftOut(input: Input): Input {
  const { sandbox_permissions: wish, ...others } = input;
  const own = wish === "require_escalated" ? { ...others, outside_sandbox: true } : input;
  return Object.fromEntries(Object.entries(own).filter(([name, value]) => usual[name]?.(value) !== true));
}

const folderKeys = { cwd: ["workdir", "working_directory", "directory", "dir_path"] };

/** A command that answers after a while, finished or not: the variant that stays in the background until it ends. */
const execCommand: Convert = (input) =>
  bash("s")("yield_time_ms" in input && !("background" in input) ? { ...input, background: true } : input);

/** Some programs use numbers as ids. If the call has no action, the tool's name implies it. */
function processCall(action: "output" | "stop" | "list" | "send"): Convert {
  return (input) => {
    const output = renamed(without(input, "filter", "block", "max_output_tokens"), keys.process);
    if (typeof output.id === "number") output.id = `p${output.id}`;
    // With nothing to send, the caller is waiting for output.
    if (action === "send" && output.input === "") return { ...without(output, "input"), action: "output" };
    if (action === "send") delete output.wait_ms;
    return { action, ...output };
  };
}

/** A list of arguments becomes a command line; a working folder becomes a `cd`, visible in the permission request. */
function oneCommand(input: Input): Input {
  const { command, ...rest } = input;
  const words = Array.isArray(command) && command.every((word) => typeof word === "string") ? command : undefined;
  let line: unknown = command;
  if (words) {
    const [shell, flag, script] = words;
    const wrapped = words.length === 3 && /(^|\/)(ba|z|da)?sh$/.test(shell ?? "") && /^-l?c$/.test(flag ?? "");
    line = wrapped ? script : words.map(shellWord).join(" ");
  }
  const { cwd: folder, ...others } = renamed(rest, folderKeys);
  if (typeof folder !== "string" || typeof line !== "string") return withoutUndefined({ ...rest, command: line });
  const isHere = folder === "" || folder === ".";
  return { ...others, command: isHere ? line : `cd ${shellWord(folder)} || exit\n${line}` };
}

/** If `from` counts lines from 0, `to` is a number of lines; `end_line` and `view_range` count from 1, inclusive. */
const read: Convert = (input) => {
  const { from, to, end_line, endLine, view_range, ...plain } = input;
  const output = renamed(plain, keys.read);
  const first = numeric(from);
  const count = numeric(to);
  if (first !== undefined) output.offset ??= first + 1;
  if (count !== undefined) output.limit ??= count;
  const [start, end] = Array.isArray(view_range) ? view_range : [undefined, end_line ?? endLine];
  if (numeric(start) !== undefined) output.offset ??= numeric(start);
  const last = numeric(end);
  // -1 means up to the end.
  if (last !== undefined && last > 0) output.limit ??= Math.max(1, last - (numeric(output.offset) ?? 1) + 1);
  return output;
};

/** Each of several edits may use another program's names as well; a list with one edit is treated as that edit. */
const edit: Convert = (input) => {
  const { edits, ...rest } = renamed(input, editKeys);
  if (edits === undefined) return rest;
  const list = listIn(edits);
  if (!Array.isArray(list)) return { ...rest, edits };
  const named = list.map((each: unknown) => (isInput(each) ? renamed(each, editKeys) : each));
  const [only] = named;
  const isAlone = named.length === 1 && rest.old_string === undefined;
  return isAlone && isInput(only) && isReplacement(only) ? { ...rest, ...only } : { ...rest, edits: named };
};

function isReplacement(each: Input): boolean {
  return "old_string" in each && "new_string" in each;
}

/** Numbered lines are one edit; `isBefore`: insert before the first line, which stays. */
function editedLines(isBefore: boolean): Convert {
  return (input) => {
    const { file_path, start_line, end_line, content, ...rest } = renamed(input, lineKeys);
    if (start_line === undefined && content === undefined) return renamed(input, lineKeys);
    const first = numeric(start_line);
    const last = isBefore && first !== undefined ? first - 1 : end_line;
    return { ...rest, edits: [withoutUndefined({ file_path, start_line, end_line: last, content })] };
  };
}

/** Anthropic's two editors: one tool for several of ours. `insert_line` is the line before. */
function strReplaceEditor(name: string): ToolAlias {
  return {
    name,
    tool: "edit",
    toolFor: ({ command }) => (command === "view" ? "read" : command === "create" ? "write" : "edit"),
    convert: (input) => {
      const { command, insert_line, ...rest } = input;
      if (command === "view") return read(rest);
      if (command === "create") return renamed(rest, keys.write);
      const line = numeric(insert_line);
      if (command === "insert" && line !== undefined) {
        const { insert_text, new_str, ...place } = rest;
        return editedLines(true)({ ...place, start_line: line + 1, content: insert_text ?? new_str });
      }
      return edit(command === "str_replace" ? without(input, "command") : input);
    },
  };
}

const applyPatch: Convert = (input) => {
  const { patch, ...rest } = renamed(input, { patch: ["input", "patch_text", "patchText", "diff"] });
  return patch === undefined ? rest : { ...rest, edits: [{ patch }] };
};

function withoutUndefined(input: Input): Input {
  return Object.fromEntries(Object.entries(input).filter(([, value]) => value !== undefined));
}

/** In one of the forms, a pattern without a wildcard is part of a file name. */
const grep: Convert = (input) => {
  const simple = "file_filter" in input || "ignore_gitignore" in input || "include_hidden" in input;
  const output = renamed(without(input, "ignore_gitignore", "include_hidden"), keys.grep);
  if (simple && typeof output.pattern === "string") {
    output.pattern = output.pattern.replace(/[.+?^$()[\]{}|\\]/g, "\\$&").replaceAll("*", ".*");
  }
  const { glob } = output;
  if (typeof glob === "string" && !("glob" in input) && !/[*?{[]/.test(glob)) output.glob = `*${glob}*`;
  return output;
};

const byTool: Readonly<Record<string, { names: string; convert: Convert }>> = {
  bash: {
    names: "bash shell shell_command execute execute_command exec run_shell_command run_terminal_cmd terminal",
    convert: bash("s"),
  },
  read: { names: "read read_file read_lines view view_file cat open_file", convert: read },
  write: {
    names: "write write_file write_to_file create_file",
    convert: (input) => renamed(input, keys.write),
  },
  edit: { names: "edit edit_file multi_edit str_replace replace search_replace", convert: edit },
  glob: {
    names: "glob find_files file_search",
    convert: (input) => renamed(without(input, "max_results"), keys.glob),
  },
  grep: { names: "grep grep_search search search_files search_file_content", convert: grep },
  ls: {
    names: "ls list list_directory list_files",
    convert: (input) => renamed(input, keys.ls),
  },
  web_fetch: {
    names: "web_fetch webfetch fetch fetch_url read_url",
    // A prompt for the page is ignored: it is meant for tools that let another model read the page.
    convert: (input) => renamed(without(input, "prompt", "format"), keys.web_fetch),
  },
  web_search: {
    names: "web_search websearch search_web google_web_search",
    convert: (input) => renamed(input, keys.web_search),
  },
};

/**
 * The tool names and argument forms of the programs that this one succeeds, and of other agents. Our own names are
 * included only if their arguments need conversion. Canonical arguments are not changed.
 */
export const aliases: readonly ToolAlias[] = [
  ...Object.entries(byTool).flatMap(([tool, { names, convert }]) =>
    names.split(" ").map((name) => ({ name, tool, convert })),
  ),
  { name: "run", tool: "bash", convert: bash("ms") },
  { name: "exec_command", tool: "bash", convert: execCommand },
  ...["bash_output", "task_output", "get_process_output"].map((name) => alias(name, "output")),
  ...["kill_shell", "kill_bash", "task_stop", "kill_process"].map((name) => alias(name, "stop")),
  { name: "process", tool: "process", convert: (input) => renamed(input, keys.process) },
  alias("list_processes", "list"),
  alias("write_stdin", "send"),
  { name: "run_command", tool: "bash", convert: bash("ms") },
  ...["get_file_tree", "list_dir"].map((name) => ({
    name,
    tool: "ls",
    convert: (input: Record<string, unknown>) => ({ depth: 2, ...renamed(input, keys.ls) }),
  })),
  ...["str_replace_editor", "str_replace_based_edit_tool"].map(strReplaceEditor),
  { name: "replace_lines", tool: "edit", convert: editedLines(false) },
  { name: "insert_lines", tool: "edit", convert: editedLines(true) },
  { name: "apply_patch", tool: "edit", convert: applyPatch },
  ...commandForms,
];

function alias(name: string, action: Parameters<typeof processCall>[0]): ToolAlias {
  return { name, tool: "process", convert: processCall(action) };
}
