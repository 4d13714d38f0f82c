import { describe, expect, it } from "vitest";
import { todoForms } from "./todo-forms.ts";

function converted(name: string, input: Record<string, unknown>): unknown {
  const form = todoForms.find((each) => each.name === name);
  return form && [form.tool, form.convert(input)];
}

describe("tasks in the forms of other programs", () => {
  it.each<[string, Record<string, unknown>, Record<string, unknown>]>([
    ["add_todo", { content: "Find it" }, { todos: [{ text: "Find it" }] }],
    ["list_todos", {}, {}],
    ["update_todo", { todo_id: "todo_2", status: "completed" }, { todos: [{ id: "todo_2", status: "completed" }] }],
    ["update_todo", { todo_id: 2, status: "done" }, { todos: [{ id: "todo_2", status: "completed" }] }],
    [
      "TodoWrite",
      { todos: [{ content: "Find it", status: "in_progress", activeForm: "Finding it" }] },
      { todos: [{ text: "Find it", status: "in_progress" }], replace: true },
    ],
    [
      "todo_write",
      { merge: true, todos: [{ id: "todo_1", status: "completed" }] },
      { todos: [{ id: "todo_1", status: "completed" }] },
    ],
    [
      "update_plan",
      { explanation: "So far", plan: [{ step: "Find it", status: "pending" }] },
      { todos: [{ text: "Find it", status: "pending" }], replace: true },
    ],
    [
      "write_todos",
      { todos: '[{"description":"Find it","status":"in-progress"},{"description":"No","status":"cancelled"}]' },
      { todos: [{ text: "Find it", status: "in_progress" }], replace: true },
    ],
    ["todo", { todos: ["Find it", { text: "Mend it" }] }, { todos: [{ text: "Find it" }, { text: "Mend it" }] }],
    ["todo", {}, {}],
    ["todo", { todos: "nothing" }, { todos: "nothing" }],
  ])("%s %j", (name, input, wanted) => {
    expect(converted(name, input)).toEqual(["todo", wanted]);
  });
});
