import { type Todo, TodoStatus } from "@harness/protocol";
import * as z from "zod";
import { defineTool, type Tool, type ToolContext, type ToolResult } from "../ports/tool.ts";
import { changedTodos } from "./changed-todos.ts";
import { titleLine } from "./title-line.ts";
import { errorResult } from "./tool-result.ts";

export const TODO = "todo";

/** The list of an agent's tasks. */
export type TodoList = {
  todos(): readonly Todo[];
  /** Stores the list. Throws `LogWriteError`. */
  replace(todos: readonly Todo[]): void;
};

const args = z.strictObject({
  todos: z
    .array(
      z.strictObject({
        id: z.string().optional(),
        text: z.string().trim().min(1).optional(),
        status: TodoStatus.optional(),
      }),
    )
    .optional()
    .describe("With an id: changes that task. Without: adds one."),
  replace: z.boolean().optional().describe("Replace the whole list."),
});

const marks: Readonly<Record<TodoStatus, string>> = { pending: "[ ]", in_progress: "[>]", completed: "[x]" };

/** The tool with which an agent keeps its task list. */
export function todo<C extends ToolContext>(listOf: (context: C) => TodoList): Tool {
  return defineTool({
    name: TODO,
    description: "Your task list, for work in several steps; without arguments: shows it.",
    brief: "Your task list.",
    details:
      "Use it for work of three or more steps. Keep exactly one task in progress, and complete each as soon as it is done.",
    rareArgs: ["replace"],
    args,
    category: "signal",
    offer: "ample-room",
    effects: () => [],
    title: ({ todos = [] }) => titleOf(todos),
    async run({ todos: wanted, replace = false }, context: C): Promise<ToolResult> {
      const list = listOf(context);
      const before = list.todos();
      if (!wanted) return answer(before, listText(before));
      const changed = changedTodos(before, wanted, { isWhole: replace });
      if ("problem" in changed) return errorResult(changed.problem);
      const { todos, touched } = changed;
      if (touched.length > 0 || todos.length !== before.length) list.replace(todos);
      return answer(todos, replace ? listText(todos) : changeText(todos, touched));
    },
  });
}

/** Names the first task that has text: ids mean nothing to people. */
function titleOf(todos: readonly { text?: string | undefined }[]): string {
  if (todos.length === 0) return TODO;
  const named = todos.find(({ text }) => text !== undefined)?.text;
  if (named === undefined) return `${TODO} ${todos.length} ${todos.length === 1 ? "task" : "tasks"} changed`;
  const more = todos.length > 1 ? ` and ${todos.length - 1} more` : "";
  return `${TODO} ${titleLine(named)}${more}`;
}

function answer(todos: readonly Todo[], text: string): ToolResult {
  const items = todos.map(({ text: item, status }) => ({ text: item, status }));
  return { status: "ok", text, blocks: [{ type: "todo", items }] };
}

function listText(todos: readonly Todo[]): string {
  return todos.length === 0 ? "There are no tasks." : todos.map(lineOf).join("\n");
}

function changeText(todos: readonly Todo[], touched: readonly Todo[]): string {
  const done = todos.filter(({ status }) => status === "completed").length;
  const lines = touched.length === 0 ? ["Nothing changed."] : touched.map(lineOf);
  return [...lines, `${done} of ${todos.length} completed.`].join("\n");
}

function lineOf({ id, text, status }: Todo): string {
  return `${marks[status]} ${id} ${text}`;
}
