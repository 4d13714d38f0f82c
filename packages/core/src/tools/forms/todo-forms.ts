import type { ToolAlias } from "../../ports/tool.ts";
import { type Input, isInput, listIn, renamed, without } from "../argument-names.ts";

const keys = {
  id: ["todo_id", "todoId", "task_id", "taskId"],
  text: ["content", "step", "description", "subject", "title", "task", "todo"],
};
const listKeys = { todos: ["items", "tasks", "plan", "todo_list", "todoList"] };

/** Words that other programs use for the states of a task. */
const states: Readonly<Record<string, string>> = {
  todo: "pending",
  open: "pending",
  not_started: "pending",
  active: "in_progress",
  started: "in_progress",
  doing: "in_progress",
  done: "completed",
  complete: "completed",
  finished: "completed",
};

/** How other agents keep their task lists: some send the whole list, others one task per call. */
export const todoForms: readonly ToolAlias[] = [
  ...["todo", "todos"].map((name) => form(name, ownCall)),
  ...["TodoWrite", "todo_write", "write_todos", "update_plan", "update_todos"].map((name) => form(name, wholeList)),
  ...["TodoRead", "todo_read", "read_todos", "list_todos", "get_todos"].map((name) => form(name, () => ({}))),
  ...["add_todo", "create_todo", "task_create", "update_todo", "task_update"].map((name) => form(name, oneTask)),
];

function form(name: string, convert: ToolAlias["convert"]): ToolAlias {
  return { name, tool: "todo", convert };
}

function ownCall(input: Input): Input {
  const output = renamed(input, listKeys);
  const todos = listIn(output.todos);
  return Array.isArray(todos) ? { ...output, todos: todos.map(task) } : output;
}

function wholeList(input: Input): Input {
  const output = ownCall(without(input, "explanation", "merge"));
  if (input.merge === true || !Array.isArray(output.todos)) return output;
  const todos = output.todos.filter((each) => !isInput(each) || each.status !== "cancelled");
  return { ...output, todos, replace: true };
}

function oneTask(input: Input): Input {
  return { todos: [task(without(input, "activeForm"))] };
}

/** A task as others write it: under a different name, as plain text, with their own words for its state. */
function task(written: unknown): unknown {
  if (typeof written === "string") return { text: written };
  if (!isInput(written)) return written;
  const output = renamed(without(written, "activeForm", "active_form", "priority"), keys);
  const { id, status } = output;
  if (typeof id === "number" || (typeof id === "string" && /^\d+$/.test(id))) output.id = `todo_${id}`;
  if (typeof status === "string") {
    const word = status
      .trim()
      .toLowerCase()
      .replace(/[\s-]+/g, "_");
    output.status = states[word] ?? word;
  }
  return output;
}
