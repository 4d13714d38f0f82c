import { type Input, isInput } from "@harness/core";
import { type EditStep, editArgs, editSteps } from "./edit/edit-call.ts";
import { absolutePath } from "./files/absolute-path.ts";

/** A call as Claude Code hooks know it. `matched`: the names that a hook may select it by. */
export type ClaudeCall = { name: string; matched: readonly string[]; input: Input };

type Form = (input: Input, cwd: string) => ClaudeCall[];

/** Calls of our tools with Claude Code's names and arguments; a call that changes several files becomes several. */
const forms: Readonly<Record<string, Form>> = {
  bash: one("Bash", ({ command, timeout_ms: timeout, background }) => ({
    command,
    ...(timeout !== undefined && { timeout }),
    ...(background === true && { run_in_background: true }),
  })),
  read: one("Read", (input, cwd) => ({ ...input, file_path: pathIn(input.file_path, cwd) })),
  write: one("Write", ({ file_path, content }, cwd) => ({ file_path: pathIn(file_path, cwd), content })),
  edit: editsOf,
  glob: one("Glob", (input, cwd) => withFolder(input, cwd)),
  grep: one("Grep", ({ limit, ...input }, cwd) => ({
    ...withFolder(input, cwd),
    output_mode: "content",
    ...(limit !== undefined && { head_limit: limit }),
  })),
  ls: one("LS", ({ path = "." }, cwd) => ({ path: pathIn(path, cwd) })),
  web_fetch: one("WebFetch", ({ url }) => ({ url, prompt: "" })),
  web_search: one("WebSearch", ({ query }) => ({ query })),
  todo: one("TodoWrite", ({ todos = [] }) => ({
    todos: list(todos).map(({ text, status = "pending", id }) => ({ content: text, status, activeForm: text, id })),
  })),
  agent: one("Task", taskOf),
  start_subagent: one("Task", taskOf),
  question: one("AskUserQuestion", ({ more, ...first }) => ({
    questions: [first, ...list(more)].map(({ question, header, answers, several }) => ({
      question,
      ...(header !== undefined && { header }),
      options: (Array.isArray(answers) ? answers : []).map((each) =>
        isInput(each) ? { label: each.name, description: each.description } : { label: each },
      ),
      ...(several === true && { multiSelect: true }),
    })),
  })),
};

/** A tool that Claude Code does not have keeps its name and arguments. `input`: as the tool takes it. */
export function claudeCalls(tool: string, input: Input, cwd: string): ClaudeCall[] {
  const form = Object.hasOwn(forms, tool) ? forms[tool] : undefined;
  const calls = form?.(input, cwd) ?? [];
  return calls.length > 0
    ? calls.map((call) => ({ ...call, matched: [...call.matched, tool] }))
    : [{ name: tool, matched: [tool], input }];
}

/** The response of a call, as Claude Code hooks read it. */
export function claudeResponse(
  { name, input }: ClaudeCall,
  { text, isError }: { text: string; isError: boolean },
): Input {
  if (name === "Bash")
    return { stdout: isError ? "" : text, stderr: isError ? text : "", interrupted: false, isImage: false };
  if (typeof input.file_path === "string") return { filePath: input.file_path, success: !isError, content: text };
  return { content: text, success: !isError };
}

function one(name: string, convert: (input: Input, cwd: string) => Input): Form {
  return (input, cwd) => [{ name, matched: [name], input: convert(input, cwd) }];
}

/** Edits of one file become one call. */
function editsOf(input: Input, cwd: string): ClaudeCall[] {
  const call = editArgs.safeParse(input);
  const steps = call.success ? editSteps(call.data) : [];
  if ("problem" in steps) return [];
  const byFile = Map.groupBy(steps, ({ path }) => path);
  return [...byFile].flatMap(([path, ofFile]) => {
    const file_path = absolutePath(path, cwd);
    const [first] = ofFile;
    if (first?.kind === "create") {
      return [{ name: "Write", matched: ["Write"], input: { file_path, content: first.content } }];
    }
    const edits = ofFile.map(replacement);
    const several = edits.length > 1;
    const edit = { file_path, ...edits[0], ...(several && { edits }) };
    const moved = ofFile.flatMap((step) => (step.kind === "hunks" && step.movedTo !== undefined ? [step.movedTo] : []));
    return [
      { name: "Edit", matched: several ? ["Edit", "MultiEdit"] : ["Edit"], input: edit },
      ...moved.map((to) => ({
        name: "Write",
        matched: ["Write"],
        input: { file_path: absolutePath(to, cwd), content: "" },
      })),
    ];
  });
}

/** The text of lines given only by number is unknown without the file. */
function replacement(step: EditStep): Input {
  switch (step.kind) {
    case "text":
      return { old_string: step.old, new_string: step.into, replace_all: step.all };
    case "lines":
      return { old_string: "", new_string: step.content, replace_all: false };
    case "hunks":
      return { old_string: "", new_string: JSON.stringify(step.hunks), replace_all: false };
    case "create":
      return { old_string: "", new_string: step.content, replace_all: false };
    case "delete":
      return { old_string: "", new_string: "", replace_all: false };
  }
}

function taskOf({ task, agent, background }: Input): Input {
  const words = typeof task === "string" ? task : "";
  return {
    description: words.split("\n")[0]?.slice(0, 60) ?? "",
    prompt: words,
    subagent_type: agent ?? "general-purpose",
    ...(background === true && { run_in_background: true }),
  };
}

function withFolder({ path, ...input }: Input, cwd: string): Input {
  return path === undefined ? input : { ...input, path: pathIn(path, cwd) };
}

function pathIn(path: unknown, cwd: string): unknown {
  return typeof path === "string" ? absolutePath(path, cwd) : path;
}

function list(value: unknown): Input[] {
  return Array.isArray(value) ? value : [];
}
